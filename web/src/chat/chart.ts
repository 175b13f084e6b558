/** What a chart shows, as a table: the same numbers for the drawing, for a reader and for a spreadsheet. */
import type { Cell } from "../adult/csv";
import type { Chart, Schemas } from "./conversation.svelte";

type Plot = Schemas["Plot"];

export const isPlot = (data: Chart["data"]): data is Plot => "labels" in data;

export function tableOf(chart: Chart): { titles: string[]; rows: Cell[][] } {
  const { data } = chart;
  if (!isPlot(data)) return { titles: data.columns, rows: data.rows };
  return {
    titles: ["", ...data.series.map((one) => one.name)],
    rows: data.labels.map((label, at) => [label, ...data.series.map((one) => one.values[at])]),
  };
}

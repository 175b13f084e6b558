/** A conversation as a file. */

import { tableOf } from "./chart";
import type { Said } from "./conversation.svelte";

/** Of an answer in several depths the one that is shown. */
const textOf = (one: Said, level: number): string =>
  one.levels[Math.min(level, one.levels.length - 1)]?.[1] ?? one.text;

const cell = (value: unknown): string => String(value ?? "").replaceAll("|", "\\|");

function table(one: Said): string[] {
  if (!one.chart) return [];
  const { titles, rows } = tableOf(one.chart);
  const line = (cells: readonly unknown[]) => `| ${cells.map(cell).join(" | ")} |`;
  return [
    `**${one.chart.title}**`,
    [line(titles), line(titles.map(() => "---")), ...rows.map(line)].join("\n"),
  ];
}

export function asMarkdown(title: string, said: readonly Said[], level: number): string {
  const parts = said.flatMap((one) =>
    one.mine ? [`## ${one.text.replaceAll("\n", " ")}`] : [textOf(one, level), ...table(one), ...one.notes],
  );
  return `${[`# ${title}`, ...parts.filter(Boolean)].join("\n\n")}\n`;
}

export function asText(said: readonly Said[], level: number): string {
  const parts = said.map((one) => (one.mine ? `> ${one.text}` : textOf(one, level).replaceAll("**", "")));
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

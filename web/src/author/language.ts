/** Where a place of a flow's text lies in its fields, and what may stand there. */

export interface JsonSchema {
  properties?: Record<string, JsonSchema>;
  $defs?: Record<string, JsonSchema>;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  type?: string | string[];
}

export interface Tool {
  server: string;
  name: string;
  description: string;
  input_schema: JsonSchema;
}

export interface Known {
  schema: JsonSchema;
  tools: Tool[];
  flows: string[];
  names: { text: string; about: string }[];
  steps: { id: string; name: string }[];
}

export interface Choice {
  label: string;
  about: string;
  /** Behind the label, such as `: ` behind a field. */
  after?: string;
}

/** The choices for what stands from `from`, a column of the row. */
export interface Choices {
  from: number;
  choices: Choice[];
}

const KEY = /^( *)((?:- +)*)([\p{L}\p{N}_-]+):/u;
const STEP_KINDS = /Step$/;
const MODELS: Record<string, string> = {
  flow: "FlowModel",
  inputs: "Input",
  mcp_call: "McpCall",
  on_error: "OnError",
  retry: "Retry",
  route: "Way",
  variants: "Variant",
};
const ACTIONS = ["python", "foreach", "parallel", "graph", "approve", "llm", "route"];

/** The fields around a row, from the outermost; `row` counts from 0. */
export function around(rows: readonly string[], row: number): string[] {
  const line = rows[row] ?? "";
  const indent = /^ */.exec(line)![0].length;
  const found: string[] = [];
  let column = /^ *- /.test(line) ? indent + 1 : line.trim() ? indent : line.length;
  for (let at = row - 1; at >= 0 && column > 0; at--) {
    const above = KEY.exec(rows[at]!);
    if (!above) continue;
    const [, spaces, dashes, name] = above;
    const start = spaces!.length + dashes!.length;
    if (start < column) found.unshift(name!);
    if (start <= column && dashes) column = spaces!.length + 1;
    else if (start < column) column = start;
  }
  return found;
}

/** The value of a field beside or around a row: of the nearest one above or below in the same step. */
export function near(rows: readonly string[], row: number, name: string): string | null {
  const value = (line: string) =>
    new RegExp(`(?:^|[ {,])${name}: *["']?([^"',}#]+)`).exec(line)?.[1]?.trim() ?? null;
  const begins = (line: string) => /^ *- +id:/.test(line);
  for (let at = row; at >= 0; at--) {
    const found = value(rows[at]!);
    if (found) return found;
    if (begins(rows[at]!)) break;
  }
  for (let at = row + 1; at < rows.length && !begins(rows[at]!); at++) {
    const found = value(rows[at]!);
    if (found) return found;
  }
  return null;
}

/** The fields that may stand in an object, with what each is for. */
export function fields(known: Known, rows: readonly string[], row: number): Record<string, JsonSchema> {
  const path = around(rows, row);
  const last = path.at(-1);
  const models = known.schema.$defs ?? {};
  if (last === undefined) return { flow: { description: "A flow" } };
  if (last === "params" && path.includes("mcp_call")) {
    const tool = near(rows, row, "tool");
    return known.tools.find((one) => one.name === tool)?.input_schema.properties ?? {};
  }
  if (last === "steps" || last === "tasks") {
    const kinds = Object.entries(models).filter(([name]) => STEP_KINDS.test(name));
    return Object.assign({}, ...kinds.map(([, model]) => model.properties ?? {}));
  }
  return models[MODELS[last] ?? ""]?.properties ?? {};
}

/** What may stand at a column of a row. */
export function choices(known: Known, rows: readonly string[], row: number, column: number): Choices | null {
  const before = (rows[row] ?? "").slice(0, column);
  const from = (word: string) => column - word.length;
  const reference = /\$[\p{L}\p{N}_.]*$/u.exec(before);
  if (reference)
    return {
      from: from(reference[0]),
      choices: known.names.map(({ text, about }) => ({ label: text, about })),
    };
  const value = /(?:^|[ {,[-])([\w]+): *(?:\[[^\]]*)?["']?([^"'{}[\],:]*)$/u.exec(before);
  if (value) {
    const found = values(known, rows, row, value[1]!);
    return found.length ? { from: from(value[2]!.trimStart()), choices: found } : null;
  }
  const key = /^ *(?:- +)*([\p{L}\p{N}_]*)$/u.exec(before);
  if (!key) return null;
  const found = Object.entries(fields(known, rows, row)).map(([label, schema]) => ({
    label,
    about: schema.description ?? "",
    after: ": ",
  }));
  return found.length ? { from: from(key[1]!), choices: found } : null;
}

function values(known: Known, rows: readonly string[], row: number, field: string): Choice[] {
  const listed = (all: readonly unknown[], about = "") => all.map((one) => ({ label: String(one), about }));
  switch (field) {
    case "server":
      return listed([...new Set(known.tools.map((tool) => tool.server))]);
    case "tool": {
      const server = near(rows, row, "server");
      const own = known.tools.filter((tool) => tool.server === server);
      return (own.length ? own : known.tools).map((tool) => ({ label: tool.name, about: tool.description }));
    }
    case "action":
      return around(rows, row).at(-1) === "on_error"
        ? listed(["continue", "fallback", "fail"])
        : listed(ACTIONS);
    case "on_error":
      return listed(["continue", "fail"]);
    case "to":
    case "goto":
    case "depends_on":
      return known.steps.map((step) => ({ label: step.id, about: step.name }));
    case "graph":
      return listed(known.flows);
  }
  const schema = fields(known, rows, row)[field];
  if (schema?.enum) return listed(schema.enum);
  return schema?.type === "boolean" ? listed([true, false]) : [];
}

/** What the word at a column of a row means; null where nothing is known of it. */
export function meaning(known: Known, rows: readonly string[], row: number, word: string): string | null {
  if (word.startsWith("$")) return known.names.find((name) => name.text === word)?.about ?? null;
  const line = rows[row] ?? "";
  if (new RegExp(`(?:^|[ {,-])${word}:`, "u").test(line)) {
    const about = fields(known, rows, row)[word]?.description;
    if (about) return about;
  }
  const tool = known.tools.find((one) => one.name === word);
  if (tool) {
    const takes = Object.keys(tool.input_schema.properties ?? {}).join(", ");
    return `${tool.server}\n${tool.description}\n(${takes})`;
  }
  return known.steps.find((step) => step.id === word)?.name ?? null;
}

/** The place of a column that counts characters from 1, in the units of a text in this page. */
export function unit(line: string, column: number): number {
  return /[\ud800-\udbff]/.test(line)
    ? Array.from(line)
        .slice(0, column - 1)
        .join("").length
    : column - 1;
}

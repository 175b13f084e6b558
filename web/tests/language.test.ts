import { describe, expect, it } from "vitest";
import { around, choices, type Known, meaning, near, unit } from "../src/author/language";

const ROWS = `flow:
  name: x
  inputs:
    - {name: a, type: string}
  steps:
    - id: first
      mcp_call:
        server: one-mcp
        tool: find
        params:
          who: $inputs.a
    - id: each
      action: foreach
      items: $first_result.all
      steps:
      - id: inner
        
  outputs: {}`.split("\n");

const KNOWN: Known = {
  schema: {
    $defs: {
      FlowModel: { properties: { name: {}, steps: { description: "Steps" } } },
      ToolStep: { properties: { id: {}, mcp_call: {} } },
      ForeachStep: { properties: { id: {}, items: { description: "A list" }, action: { const: "foreach" } } },
      McpCall: { properties: { server: {}, tool: {}, params: {} } },
    },
  },
  tools: [
    {
      server: "one-mcp",
      name: "find",
      description: "Finds",
      input_schema: { properties: { who: {}, count: {} } },
    },
    { server: "two-mcp", name: "write", description: "Writes", input_schema: {} },
  ],
  flows: ["other"],
  names: [{ text: "$inputs.a", about: "string" }],
  steps: [{ id: "first", name: "처음" }],
};
const at = (row: number, before = ROWS[row]!) => {
  const rows = ROWS.with(row, before);
  return choices(KNOWN, rows, row, before.length)?.choices.map((choice) => choice.label);
};

describe("the place of a row", () => {
  it("is told by its indentation", () => {
    expect(around(ROWS, 10)).toEqual(["flow", "steps", "mcp_call", "params"]);
    expect(around(ROWS, 13)).toEqual(["flow", "steps"]);
    expect(around(ROWS, 16)).toEqual(["flow", "steps", "steps"]);
    expect(around(ROWS, 17)).toEqual(["flow"]);
    expect(around(ROWS, 0)).toEqual([]);
  });

  it("is within one step", () => {
    expect(near(ROWS, 10, "tool")).toBe("find");
    expect(near(ROWS, 13, "tool")).toBeNull();
  });
});

describe("what may stand at a place", () => {
  it("are the fields of the object", () => {
    expect(at(1, "  na")).toEqual(["name", "steps"]);
    expect(at(13, "      it")).toEqual(["id", "mcp_call", "items", "action"]);
    expect(at(10, "          c")).toEqual(["who", "count"]);
  });

  it("are the tools of the server, the steps, the flows, the names", () => {
    expect(at(8, "        tool: f")).toEqual(["find"]);
    expect(at(7, "        server: ")).toEqual(["one-mcp", "two-mcp"]);
    expect(at(13, "      depends_on: [f")).toEqual(["first"]);
    expect(at(13, "      graph: o")).toEqual(["other"]);
    expect(at(10, "          who: $inp")).toEqual(["$inputs.a"]);
  });

  it("is nothing within a sentence", () => {
    expect(at(1, "  name: some words")).toBeUndefined();
  });
});

it("explains tools, fields, steps and references", () => {
  expect(meaning(KNOWN, ROWS, 8, "find")).toContain("Finds");
  expect(meaning(KNOWN, ROWS, 13, "items")).toBe("A list");
  expect(meaning(KNOWN, ROWS, 5, "first")).toBe("처음");
  expect(meaning(KNOWN, ROWS, 10, "$inputs.a")).toBe("string");
  expect(meaning(KNOWN, ROWS, 10, "nothing")).toBeNull();
});

it("counts characters as the service does", () => {
  expect(unit("가나", 2)).toBe(1);
  expect(unit("😀나", 2)).toBe(2);
});

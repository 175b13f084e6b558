import { describe, expect, it } from "vitest";
import { common, pieces } from "../src/author/three_way";

const BASE = ["a", "b", "c", "d", "e"];
const text = (...lines: string[]) => lines.join("\n");
const merged = (mine: string, theirs: string) =>
  pieces(text(...BASE), mine, theirs).map((piece) => piece.taken);

describe("two changes of one text", () => {
  it("are put together where they are of other lines", () => {
    const found = merged(text("a", "B", "c", "d", "e"), text("a", "b", "c", "d", "E", "f"));
    expect(found.flat()).toEqual(["a", "B", "c", "d", "E", "f"]);
  });

  it("are asked about where they are of the same line", () => {
    const found = pieces(text(...BASE), text("a", "b", "1", "d", "e"), text("a", "b", "2", "d", "e"));
    expect(found.filter((piece) => piece.taken === null)).toEqual([
      { mine: ["1"], theirs: ["2"], taken: null },
    ]);
  });

  it("are one where both have done the same", () => {
    expect(merged(text("a", "x", "c", "d", "e"), text("a", "x", "c", "d", "e")).flat()).toEqual([
      "a",
      "x",
      "c",
      "d",
      "e",
    ]);
  });

  it("keep what one has deleted and the other has left", () => {
    expect(merged(text("a", "e"), text(...BASE)).flat()).toEqual(["a", "e"]);
    expect(merged(text(...BASE), text("a", "e")).flat()).toEqual(["a", "e"]);
  });

  it("ask where one has deleted what the other has changed", () => {
    expect(merged(text("a", "b", "d", "e"), text("a", "b", "C", "d", "e"))).toContain(null);
  });

  it("are two new texts where nothing was before", () => {
    expect(pieces("", "x", "y")).toEqual([{ mine: ["x"], theirs: ["y"], taken: null }]);
  });
});

it("finds the longest common lines", () => {
  expect(common(["a", "b", "c"], ["b", "x", "c"])).toEqual([
    [1, 0],
    [2, 2],
  ]);
});

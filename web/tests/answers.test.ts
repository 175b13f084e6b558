import { describe, expect, it } from "vitest";
import { stretches, type Turn, times } from "../src/adult/answers";

const turn = (own: Partial<Turn>): Turn =>
  ({ expression: "28+15", input: "tap", correct: true, rt_ms: 1000, phase: "normal", ...own }) as Turn;

describe("the times of answers", () => {
  it("stand together by operation and way of answering, with the child's own median", () => {
    const found = times([
      turn({ rt_ms: 3000 }),
      turn({ rt_ms: 1000 }),
      turn({ rt_ms: 2000, correct: false }),
      turn({ input: "typed", rt_ms: 9000 }),
      turn({ expression: "52−38", rt_ms: 4000 }),
      turn({ expression: "52-38", rt_ms: 7000 }),
    ]);
    expect(
      found.map(({ operation, input, turns, median }) => [operation, input, turns.length, median]),
    ).toEqual([
      ["+", "tap", 3, 2000],
      ["+", "typed", 1, 9000],
      ["-", "tap", 2, 5500],
    ]);
  });

  it("are of answers alone, and none that cannot be relied on", () => {
    expect(times([turn({ rt_ms: null }), turn({ correct: null }), turn({ expression: null })])).toEqual([]);
  });
});

describe("stretches", () => {
  it("are neighbours for which something holds", () => {
    const phases = ["white_out", "normal", "white_out", "white_out", "normal", "white_out"];
    const found = stretches(
      phases.map((phase) => turn({ phase })),
      ({ phase }) => phase === "white_out",
    );
    expect(found).toEqual([
      [0, 0],
      [2, 3],
      [5, 5],
    ]);
  });
});

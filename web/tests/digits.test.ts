import { describe, expect, it } from "vitest";
import { CHECKPOINTS, passes } from "../src/widgets/digits";

const along = (digit: string, points: readonly (readonly [number, number])[]) =>
  points.reduce((passed, point) => passes(digit, passed, point), 0);

describe("the checkpoints of a digit", () => {
  it("are passed one after the other, in the order of writing", () => {
    for (const [digit, points] of Object.entries(CHECKPOINTS))
      expect(along(digit, points), digit).toBe(points.length);
  });

  it("are not passed by a digit in a mirror", () => {
    for (const digit of "234567") {
      const mirrored = CHECKPOINTS[digit]!.map(([x, y]) => [200 - x, y] as const);
      expect(along(digit, mirrored), digit).toBeLessThan(mirrored.length);
    }
  });
});

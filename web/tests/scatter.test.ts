import { describe, expect, it } from "vitest";
import { scattered } from "../src/widgets/scatter";

const RADIUS = 0.42;

describe("scattered dots", () => {
  it.each([
    [8, 6],
    [6, 5],
  ])("neither touch nor leave a field of %i by %i", (columns, rows) => {
    for (let layout = 1; layout <= 500; layout++) {
      const dots = scattered(9, columns, rows, layout);
      for (const [at, [x, y]] of dots.entries()) {
        expect(Math.min(x, y, columns - x, rows - y)).toBeGreaterThanOrEqual(RADIUS);
        for (const [otherX, otherY] of dots.slice(at + 1))
          expect(Math.hypot(x - otherX, y - otherY)).toBeGreaterThanOrEqual(2 * RADIUS);
      }
    }
  });
});

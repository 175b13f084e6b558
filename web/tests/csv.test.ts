import { expect, test } from "vitest";
import { csv } from "../src/adult/csv";

test("texts with commas and quotes stay one cell", () => {
  expect(csv(["이름", "말"], [["하늘", '"네", 했어요']])).toBe('\ufeff이름,말\r\n하늘,"""네"", 했어요"\r\n');
});

test("a text is no formula, and a negative number stays one", () => {
  expect(csv(["a"], [["=1+1"], [-3], [null]])).toBe("\ufeffa\r\n'=1+1\r\n-3\r\n\r\n");
});

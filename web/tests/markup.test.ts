import { expect, it } from "vitest";
import { blocks } from "../src/lib/markup";

it("makes lines, lists and bold words, and leaves everything else as it is", () => {
  const found = blocks("**10**을 먼저\n\n- 2를 더해\n1. <b>8+2</b>\n2 * 3 ** 4");
  expect(found.map((one) => one.kind)).toEqual(["line", "item", "item", "line"]);
  expect(found[0]!.pieces).toEqual([
    { text: "10", bold: true },
    { text: "을 먼저", bold: false },
  ]);
  expect(found[2]!.pieces).toEqual([{ text: "1. <b>8+2</b>", bold: false }]);
  expect(found[3]!.pieces).toEqual([{ text: "2 * 3 ** 4", bold: false }]);
});

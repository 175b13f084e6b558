import { expect, test } from "vitest";
import { counted, sino, spoken } from "../src/lib/korean";

test.each([
  [0, "영"],
  [10, "십"],
  [11, "십일"],
  [100, "백"],
  [110, "백십"],
  [305, "삼백오"],
  [1024, "천이십사"],
  [9999, "구천구백구십구"],
])("%i is said %s", (number, word) => expect(sino(number)).toBe(word));

test.each([
  [1, "하나"],
  [20, "스물"],
  [28, "스물여덟"],
  [99, "아흔아홉"],
  [100, "백"],
])("%i is counted %s", (number, word) => expect(counted(number)).toBe(word));

test.each([
  ["28+15=□", "스물여덟 더하기 열다섯은?"],
  ["52−38=□", "쉰둘 빼기 서른여덟은?"],
  ["6×7=□", "여섯 곱하기 일곱은?"],
  ["98+□=100", "아흔여덟 더하기 얼마는 백. 얼마일까?"],
  ["70은 10이 □개", "칠십은 십이 얼마개"],
])("%s is read %s", (text, words) => expect(spoken(text)).toBe(words));

test("no two numbers are said alike", () => {
  const words = Array.from({ length: 10_000 }, (_, number) => sino(number));
  expect(new Set(words).size).toBe(words.length);
});

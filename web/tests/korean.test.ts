import { expect, test } from "vitest";
import { counted, dialled, heardNumber, sino, spoken } from "../src/lib/korean";

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

test.each([
  ["8+2=10", "여덟 더하기 둘은 열."],
  ["8+6=14 맞아?", "팔 더하기 육은 십사 맞아?"],
  ["3 + 4 + 5는 얼마야?", "삼 더하기 사 더하기 오는 얼마야?"],
  ["20000원", "20000원"],
])("%s is read %s, as it has no gap", (text, words) => expect(spoken(text)).toBe(words));

test("numbers to be called are read digit by digit", () => {
  expect(dialled("청소년전화 1388, 2명")).toBe("청소년전화 일삼팔팔, 이명");
  expect(dialled("109")).toBe("일공구");
});

test("no two numbers are said alike", () => {
  const words = Array.from({ length: 10_000 }, (_, number) => sino(number));
  expect(new Set(words).size).toBe(words.length);
});

test("every number is heard as it is said", () => {
  const unheard = Array.from({ length: 10_000 }, (_, number) => number).filter(
    (number) =>
      heardNumber(sino(number)) !== number ||
      heardNumber(String(number)) !== number ||
      (number > 0 && number < 100 && heardNumber(counted(number)) !== number),
  );
  expect(unheard).toEqual([]);
});

test.each([
  ["사십삼 이요", 43],
  ["43이에요.", 43],
  ["스무", 20],
  ["십 사", 14],
  ["음", null],
  ["", null],
  ["십백", null],
  ["이삼", null],
  ["영십", null],
  ["모르겠어", null],
  ["열열", null],
  ["12345678", null],
])("%s is heard as %s", (words, number) => expect(heardNumber(words)).toBe(number));

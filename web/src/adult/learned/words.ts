/** What the parts of clusters, procedures and trials are called. */
import type { Schemas } from "../school";

export type Cluster = Schemas["ReviewCluster"];
export type Learned = Schemas["LearnedProcedure"];
export type Language = Schemas["ProcedureLanguage"];
export type Definition = Learned["definition"];

export const OPERATIONS: Record<string, string> = { "+": "덧셈", "-": "뺄셈", x: "곱셈", "/": "나눗셈" };
export const FORMS: Record<string, string> = {
  result: "답을 구하는 식",
  addend: "더하거나 빼는 수를 구하는 식",
  factor: "곱하는 수를 구하는 식",
  tens: "10이 몇 개인지 묻는 식",
};
export const PATTERNS: Record<string, string> = {
  off_by_one: "바른 답과 1 차이 나요",
  off_by_a_place: "한 자리에서 1만큼 차이 나요 (10, 100 …)",
  digits_rearranged: "숫자는 같고 자리가 바뀌었어요",
  wrong_beside_carry: "받아올림·받아내림이 넘어간 자리도 틀려요",
  wrong_where_carried: "받아올림·받아내림하는 자리만 틀려요",
  wrong_elsewhere: "받아올림·받아내림이 없는 자리가 틀려요",
  digits_too_many: "답의 자릿수가 더 많아요",
  digits_too_few: "답의 자릿수가 더 적어요",
};
export const NEEDS: Record<string, string> = {
  carry: "받아올림",
  borrow: "받아내림",
  zero: "0",
  length: "자릿수가 다른 두 수",
  digits: "특별한 숫자",
  size: "큰 수",
  layout: "놓인 모양",
  operation: "연산 기호",
};
export const STATUS: Record<Learned["status"], string> = {
  proposed: "살펴볼 것",
  approved: "쓰고 있음",
  off: "꺼 둠",
};
export const OBSTACLES: Record<string, string> = {
  own_procedure: "제안한 분은 승인할 수 없어요. 다른 분이 살펴보고 승인해야 해요.",
  unnamed_adult: "토큰에 이름이 없어서 누구인지 알 수 없어요. 운영하는 분께 이름을 적은 토큰을 받으세요.",
  procedure_state: "먼저 기록된 세션에 해 보세요.",
  false_causes:
    "잘하는 아이에게도 원인을 말하게 되어 승인할 수 없어요. 쓰이는 때를 더 좁게 적어 다시 제안해 주세요.",
};
export const OBJECTIONS: Record<string, string> = {
  never_wrong: "어느 문제에서도 틀린 답이 나오지 않아서 제안할 수 없어요.",
  known_already: "이미 아는 방식이 모두 설명하는 답이라서 제안할 수 없어요.",
};
/** Name in a formula → what it is. */
export const NAMES: Record<string, string> = {
  a: "앞의 수",
  b: "뒤의 수",
  answer: "바른 답",
  larger: "큰 수",
  smaller: "작은 수",
  longer: "자릿수가 많은 수",
  shorter: "자릿수가 적은 수",
  length_a: "앞의 수의 자릿수",
  length_b: "뒤의 수의 자릿수",
  width: "긴 쪽의 자릿수",
  carries: "받아올림·받아내림하는 자리가 몇인지",
  top: "윗줄의 숫자",
  bottom: "아랫줄의 숫자",
  above: "왼쪽 옆자리의 윗줄 숫자",
  carry: "오른쪽 자리에서 넘어온 수",
  keep: "끝까지 들고 가는 수",
  column: "몇째 자리인지 (일의 자리가 0)",
  last: "맨 왼쪽 자리면 1",
  top_there: "윗줄에 숫자가 있으면 1",
  bottom_there: "아랫줄에 숫자가 있으면 1",
  carried: "바르게 하면 여기서 받아올림·받아내림하면 1",
  factor: "이번에 곱하는 숫자",
  place: "그 숫자의 자리",
  value: "이 자리에서 구한 수",
  written: "다 적은 수",
  abs: "빼고 남은 크기: abs(3 - 8)은 5",
  min: "작은 것: min(3, 8)은 3",
  max: "큰 것: max(3, 8)은 8",
  digit: "한 자리의 숫자: digit(52, 1)은 5",
  digits: "자릿수: digits(52)는 2",
  digit_sum: "숫자의 합: digit_sum(52)는 7",
  reverse: "거꾸로: reverse(52)는 25",
  beside: "이어 쓰기: beside(4, 3)은 43",
  without: "숫자 빼고 쓰기: without(304, 0)은 34",
  swapped: "두 숫자 바꾸기: swapped(69, 6, 9)는 96",
  spoken: "들리는 대로 쓰기: spoken(43)은 403",
};

const SAID: [RegExp, (found: string[]) => string][] = [
  [
    /no such name as (.+)$/,
    ([name]) => `${name}라는 이름은 쓸 수 없어요. 아래 ‘식에 쓸 수 있는 말’을 봐 주세요.`,
  ],
  [/there is no function (\w+)/, ([name]) => `${name}라는 셈은 없어요.`],
  [/nothing is `written`/, () => "자리마다 적는 것이 없으면 written을 쓸 수 없어요."],
  [
    /it answers (.+) with nothing, not with (\d+)/,
    ([problem, seen]) => `이 방식은 ${problem}에 답이 없어요. 아이의 답은 ${seen}이에요.`,
  ],
  [
    /it answers (.+) with (-?\d+), not with (\d+)/,
    ([problem, own, seen]) => `이 방식은 ${problem}에 ${own}라고 답해요. 아이의 답은 ${seen}이에요.`,
  ],
  [/(.+)=(\d+) is right/, ([problem]) => `${problem}의 답이 맞아요. 틀린 답을 적어 주세요.`],
  [/title/, () => "아이가 어떻게 하는지 두 글자 넘게 적어 주세요."],
  [/nested deeper|parts together|1 to 300/, () => "식이 너무 길거나 깊어요."],
  [/never wrong|gives no wrong/, () => OBJECTIONS.never_wrong!],
  [/catalogue gives all/, () => OBJECTIONS.known_already!],
  [/formula/, () => "식을 읽을 수 없어요. 수와 이름, + - * // %, 견주기, if else를 쓸 수 있어요."],
  [/negative|whole|digits/, () => "이런 문제는 없어요. 다른 수를 적어 주세요."],
];

/** What is wrong with a definition, in the words of its writer's language. */
export function explained(message: string): string {
  for (const [pattern, say] of SAID) {
    const found = pattern.exec(message);
    if (found) return say(found.slice(1));
  }
  return "적은 것을 다시 확인해 주세요.";
}

export const shownBy = (name: string | null): string =>
  name === "MATHTHERA_ADMIN_TOKEN" || name === "first start" ? "운영하는 분" : name || "이름 없는 토큰";

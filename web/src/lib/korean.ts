/** Numbers and expressions as they are said to a child. */
const SINO = ["", "일", "이", "삼", "사", "오", "육", "칠", "팔", "구"];
const ONES = ["", "하나", "둘", "셋", "넷", "다섯", "여섯", "일곱", "여덟", "아홉"];
const TENS = ["", "열", "스물", "서른", "마흔", "쉰", "예순", "일흔", "여든", "아흔"];
const SIGNS: Record<string, string> = {
  "+": "더하기",
  "−": "빼기",
  "-": "빼기",
  "×": "곱하기",
  "÷": "나누기",
};

/** 28 → 이십팔; up to 9999. */
export function sino(number: number): string {
  if (number === 0) return "영";
  const digits = [...String(number)].map(Number);
  return digits
    .map((digit, index) => {
      const place = ["", "십", "백", "천"][digits.length - 1 - index]!;
      if (digit === 0) return "";
      return (digit === 1 && place ? "" : SINO[digit]!) + place;
    })
    .join("");
}

/** 28 → 스물여덟; from 1 to 99, else as `sino`. */
export function counted(number: number): string {
  if (number < 1 || number > 99) return sino(number);
  return TENS[Math.floor(number / 10)]! + ONES[number % 10]!;
}

const ends = (word: string): number => (word.charCodeAt(word.length - 1) - 0xac00) % 28;

/** 28+15=□ → 스물여덟 더하기 열다섯은? A gap is said as 얼마. Other texts keep their words, with numbers written out. */
export function spoken(text: string): string {
  const sum = /^(\d+|□)([+−×÷-])(\d+|□)=(\d+|□)$/.exec(text.replaceAll(" ", ""));
  if (!sum) return text.replace(/\d+/g, (number) => sino(Number(number))).replaceAll("□", "얼마");
  const [, left, sign, right, result] = sum;
  const say = (part: string) => (part === "□" ? "얼마" : counted(Number(part)));
  const second = say(right!);
  const start = `${say(left!)} ${SIGNS[sign!]} ${second}${ends(second) ? "은" : "는"}`;
  return result === "□" ? `${start}?` : `${start} ${say(result!)}. 얼마일까?`;
}

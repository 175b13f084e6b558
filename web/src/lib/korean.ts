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
  if (number < 1 || number > 99) return written(String(number));
  return TENS[Math.floor(number / 10)]! + ONES[number % 10]!;
}

const ends = (word: string): number => (word.charCodeAt(word.length - 1) - 0xac00) % 28;

const LARGEST = 9999;
const EXPRESSION = /(?:\d+|□)(?:\s*[+−×÷]\s*(?:\d+|□))+(?:\s*=\s*(?:\d+|□))?/g;
const WHOLE = /^(?:\d+|□)\s*[+−×÷-]\s*(?:\d+|□)\s*=\s*(?:\d+|□)$/;

/** 28+15=□ → 스물여덟 더하기 열다섯은? A gap is said as 얼마. Other texts keep their words; their numbers and expressions
 * are written out. */
export function spoken(text: string): string {
  const sum = text.trim();
  if (!WHOLE.test(sum))
    return text
      .replace(EXPRESSION, (one) => expressed(one, written))
      .replace(/\d+/g, written)
      .replaceAll("□", "얼마");
  const words = expressed(sum, (number) => counted(Number(number)));
  if (words.endsWith("?")) return words;
  return sum.includes("□") ? `${words}. 얼마일까?` : `${words}.`;
}

/** As `spoken`, with numbers to be called digit by digit: 1388 → 일삼팔팔. */
export const dialled = (text: string): string =>
  spoken(
    text.replace(/\d{3,}/g, (number) => [...number].map((digit) => SINO[Number(digit)] || "공").join("")),
  );

const written = (number: string): string => (Number(number) > LARGEST ? number : sino(Number(number)));

/** `call` says a number. In a sentence it is the Sino-Korean way, to which the particle behind it was written. */
function expressed(expression: string, call: (number: string) => string): string {
  const say = (part: string) => (part === "□" ? "얼마" : call(part));
  const [left, result] = expression.replaceAll(" ", "").split("=");
  const words = left!
    .split(/([+−×÷-])/)
    .map((part) => SIGNS[part] ?? say(part))
    .join(" ");
  if (result === undefined) return words;
  const start = words + (ends(words) ? "은" : "는");
  return result === "□" ? `${start}?` : `${start} ${say(result)}`;
}

const DIGITS = new Map(
  [...SINO.entries(), [0, "영"] as const, [0, "공"] as const].map(([value, word]) => [word, value]),
);
const PLACES = new Map([
  ["십", 10],
  ["백", 100],
  ["천", 1000],
]);
const COUNTED = new Map([
  ...ONES.map((word, value) => [word, value] as const),
  ...TENS.map((word, index) => [word, 10 * index] as const),
  ["스무", 20] as const,
]);

/** 사십삼, 마흔셋, 43 이요 → 43; null where no number up to 9999 is heard. */
export function heardNumber(text: string): number | null {
  const bare = text.replace(/[\s.,!?]/g, "").replace(/(이?(에|예)?요|입니다|이야|야)$/, "");
  if (/^\d{1,6}$/.test(bare)) return Number(bare);
  return fromSino(bare) ?? fromCounted(bare);
}

function fromSino(word: string): number | null {
  if (!word) return null;
  let sum = 0;
  let digit: number | null = null;
  let last = Number.POSITIVE_INFINITY;
  for (const sign of word) {
    const place = PLACES.get(sign);
    if (place === undefined) {
      if (digit !== null || !DIGITS.has(sign)) return null;
      digit = DIGITS.get(sign)!;
    } else {
      if (place >= last || digit === 0) return null;
      sum += (digit ?? 1) * place;
      digit = null;
      last = place;
    }
  }
  return digit === 0 && word.length > 1 ? null : sum + (digit ?? 0);
}

function fromCounted(word: string): number | null {
  const tens = TENS.findLast((one) => one && word.startsWith(one)) ?? (word.startsWith("스무") ? "스무" : "");
  const rest = word.slice(tens.length);
  if (!word || (rest && !ONES.includes(rest))) return null;
  return (COUNTED.get(tens) ?? 0) + (rest ? COUNTED.get(rest)! : 0);
}

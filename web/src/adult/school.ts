import type { components } from "../api";
import { Refusal } from "../lib/api";

export type Schemas = components["schemas"];
export type Member = Schemas["Member"];
export type SchoolClass = Schemas["ClassView"];
/** Does something and says what went wrong with it. */
export type Run = (work: () => Promise<unknown>) => Promise<void>;

export const PICTURES = ["해", "달", "별", "꽃", "나무", "집", "배", "사과", "우산"];
export const URGENCY: Record<string, string> = { now: "지금 바로", day: "오늘 안에", week: "이번 주에" };
const SIGNS: Record<string, string> = { "-": "−", x: "×", "/": "÷" };
const SAID: Record<string, string> = {
  unauthorized: "토큰을 다시 확인해 주세요.",
  forbidden: "이 일을 할 수 있는 역할이 아니에요.",
  not_found: "찾을 수 없어요. 이미 지워졌을지도 몰라요.",
  invalid_input: "적은 것을 다시 확인해 주세요.",
  too_many_requests: "요청이 너무 많아요. 잠시 뒤에 다시 해 주세요.",
  review_decided: "다른 분이 먼저 마쳤어요. 목록을 새로 보여 드릴게요.",
  own_procedure: "제안한 분은 승인할 수 없어요. 다른 분께 부탁해 주세요.",
  unnamed_adult: "토큰에 이름이 없어서 누구인지 알 수 없어요. 운영하는 분께 이름을 적은 토큰을 받으세요.",
  false_causes: "잘하는 아이에게도 원인을 말하게 되어 승인할 수 없어요.",
  procedure_taken: "똑같은 방식을 이미 제안했어요. 목록에서 찾아보세요.",
  procedure_state: "다른 분이 먼저 바꿨어요. 지금 모습을 보여 드릴게요.",
  goal_taken: "이 날까지의 같은 목표가 이미 있어요.",
};

/** What went wrong, for an adult, with the number by which an operator finds it. */
export function trouble(error: unknown): string {
  if (!(error instanceof Refusal)) return "서비스에 닿지 않아요. 잠시 뒤에 다시 해 주세요.";
  const said =
    SAID[error.code] ?? (error.passing ? "서비스가 바빠요. 잠시 뒤에 다시 해 주세요." : error.document.title);
  return `${said ?? "되지 않았어요."} (${error.requestId.slice(0, 8)})`;
}

/** 11월 23일 10:20 */
export function day(at: string): string {
  const moment = new Date(at);
  const minutes = String(moment.getMinutes()).padStart(2, "0");
  return `${moment.getMonth() + 1}월 ${moment.getDate()}일 ${moment.getHours()}:${minutes}`;
}

/** 2026-11-23 → 11월 23일 */
export function date(iso: string): string {
  const [, month, of] = iso.split("-").map(Number);
  return `${month}월 ${of}일`;
}

/** 28-15 → 28−15 */
export const written = (expression: string): string =>
  expression.replace(/[-x/]/g, (sign) => SIGNS[sign] ?? sign);

export const ofStudent = (studentId: string): string => `/students/${encodeURIComponent(studentId)}`;

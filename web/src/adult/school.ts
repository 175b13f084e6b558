import { Refusal } from "../lib/api";

export interface Member {
  student_id: string;
  nickname: string | null;
  animal: string | null;
  grade: number | null;
  picture_lock: boolean;
}

export interface SchoolClass {
  class_id: string;
  name: string;
  members: Member[];
}

export const PICTURES = ["해", "달", "별", "꽃", "나무", "집", "배", "사과", "우산"];

const SAID: Record<string, string> = {
  unauthorized: "토큰을 다시 확인해 주세요.",
  forbidden: "이 일을 할 수 있는 역할이 아니에요.",
  not_found: "찾을 수 없어요. 이미 지워졌을지도 몰라요.",
  invalid_input: "적은 것을 다시 확인해 주세요.",
  too_many_requests: "요청이 너무 많아요. 잠시 뒤에 다시 해 주세요.",
};

/** What went wrong, for a teacher, with the number by which an operator finds it. */
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

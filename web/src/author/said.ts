import { Refusal } from "../lib/api";

const SAID: Record<string, string> = {
  unauthorized: "로그인이 끝났어요. 다시 로그인해 주세요. 쓰던 글은 이 화면에 그대로 있어요.",
  forbidden: "이 일을 할 수 있는 역할이 아니에요. 예약된 흐름은 관리자만 저장할 수 있어요.",
  not_found: "찾을 수 없어요. 이미 지워졌을지도 몰라요.",
  invalid_input: "적은 것을 다시 확인해 주세요.",
  flow_invalid: "고칠 곳이 남아 있어서 저장하지 않았어요.",
  execution_state: "그사이 실행의 상태가 바뀌었어요. 지금 상태를 다시 불러왔어요.",
  too_many_requests: "요청이 너무 많아요. 잠시 뒤에 다시 해 주세요.",
  store_unavailable: "지금은 실행할 수 없어요. 시작된 것은 없어요. 잠시 뒤에 다시 해 주세요.",
};

interface Place {
  loc: string;
  msg: string;
}

/** What went wrong, for an author: the reasons that the service gives, and the number by which an operator finds it. */
export function trouble(error: unknown): string {
  if (!(error instanceof Refusal))
    return "서비스에 닿지 않아요. 쓰던 글은 그대로 있어요. 잠시 뒤에 다시 해 주세요.";
  const places = ((error.document as { errors?: Place[] }).errors ?? []).slice(0, 3);
  const said =
    SAID[error.code] ?? (error.passing ? "서비스가 바빠요. 잠시 뒤에 다시 해 주세요." : error.document.title);
  const why = places.map((one) => ` ${one.loc}: ${one.msg}.`).join("");
  return `${said ?? "되지 않았어요."}${why} (${error.requestId.slice(0, 8)})`;
}

/** 11월 23일 10:20 */
export function day(at: string): string {
  const moment = new Date(at);
  const minutes = String(moment.getMinutes()).padStart(2, "0");
  return `${moment.getMonth() + 1}월 ${moment.getDate()}일 ${moment.getHours()}:${minutes}`;
}

export const KINDS: Record<string, string> = {
  mcp_call: "도구",
  python: "계산",
  foreach: "하나씩",
  parallel: "한꺼번에",
  graph: "다른 흐름",
  approve: "사람에게 묻기",
  llm: "언어 모델",
  route: "갈림길",
  end: "",
};

/** A value as people read it: a text as it is, anything else as JSON. */
export function shown(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

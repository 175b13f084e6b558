import type { components } from "../api";

type Schemas = components["schemas"];
export type Task = Schemas["TaskView"] & { presentation: { story?: string | null } };
export type Turn = Schemas["Turn"];
export type Waiting = Schemas["Waiting"];
export type StrategyRecorded = Schemas["StrategyRecorded"];
export type Games = Schemas["Games"];
export type SessionView = Schemas["SessionView"];
export type Visual = Schemas["Visual"];
export type Training = Schemas["Training"];
export type ItemResults = Schemas["ItemResults"];
export type Safety = Pick<Schemas["SafetyView"], "text" | "numbers"> & { choices?: string[] | null };
export type Skill = Schemas["KnownSkill"];
export type Summary = Schemas["Summary"];

/** What the service refused, by the `code` of its problem document. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly retryAfter: number | null,
    readonly requestId: string,
    readonly document: Partial<Schemas["ProblemDocument"] & { run_id: string }>,
  ) {
    super(`${status} ${code}`);
  }

  /** Worth sending again: the service is away or busy, and has changed nothing. */
  get passing(): boolean {
    return this.status === 429 || this.status >= 500;
  }
}

const BASE = "/api/v1";

/** An answer that is no refusal. Throws `Refusal`, or TypeError where the service cannot be reached. */
export async function send(
  method: string,
  path: string,
  body?: unknown,
  more: Record<string, string> = {},
): Promise<Response> {
  const headers: Record<string, string> = { Accept: "application/json", ...more };
  if (method !== "GET") headers["X-Maththera"] = "1";
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const answer = await fetch(BASE + path, {
    method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
    cache: "no-store",
  });
  if (answer.ok) return answer;
  const document = await answer.json().catch(() => ({}));
  const wait = Number(answer.headers.get("Retry-After"));
  throw new Refusal(
    answer.status,
    document.code ?? "unknown",
    wait > 0 ? wait : null,
    answer.headers.get("X-Request-Id") ?? "",
    document,
  );
}

/** The answer's status and body, null where it has none. Throws as `send` does. */
export async function call<T>(
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: T }> {
  const answer = await send(method, path, body);
  return { status: answer.status, body: (answer.status === 204 ? null : await answer.json()) as T };
}

export const get = async <T>(path: string): Promise<T> => (await call<T>("GET", path)).body;
export const post = async <T>(path: string, body: unknown): Promise<T> =>
  (await call<T>("POST", path, body)).body;

/** A fresh id; also where the page came over plain HTTP, which has no `crypto.randomUUID`. */
export function freshId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}

/** The address of a link on this host: the service may not know by which name it was reached. */
export function here(url: string | null): string {
  if (!url) return "";
  const { pathname, search } = new URL(url);
  return pathname + search;
}

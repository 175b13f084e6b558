import type { components } from "../api";

type Schemas = components["schemas"];
export type Task = Schemas["TaskView"];
export type Turn = Schemas["Turn"];
export type Waiting = Schemas["Waiting"];
export type SessionView = Schemas["SessionView"];
export type Visual = Schemas["Visual"];
export type Training = Schemas["Training"];
export type Item = Schemas["Item"];
export type Safety = Schemas["SafetyView"];
export type Skill = Schemas["KnownSkill"];
export type Summary = Schemas["Summary"];

/** What the service refused, by the `code` of its problem document. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly retryAfter: number | null,
    readonly requestId: string,
    readonly document: Partial<Schemas["ProblemDocument"]>,
  ) {
    super(`${status} ${code}`);
  }

  /** Worth sending again: the service is away or busy, and has changed nothing. */
  get passing(): boolean {
    return this.status === 429 || this.status >= 500;
  }
}

const BASE = "/api/v1";

/** The answer's body; null where it has none. Throws `Refusal`, or TypeError where the service cannot be reached. */
export async function call<T>(
  method: string,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<T> {
  const headers: Record<string, string> = { Accept: "application/json" };
  if (method !== "GET") headers["X-Maththera"] = "1";
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const answer = await fetch(BASE + path, {
    method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
    signal: signal ?? null,
    cache: "no-store",
  });
  if (answer.ok) return (answer.status === 204 ? null : await answer.json()) as T;
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

export const get = <T>(path: string): Promise<T> => call<T>("GET", path);
export const post = <T>(path: string, body: unknown): Promise<T> => call<T>("POST", path, body);

/** A fresh id; also where the page came over plain HTTP, which has no `crypto.randomUUID`. */
export function freshId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}

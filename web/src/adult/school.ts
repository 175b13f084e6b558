import type { components } from "../api";
import { Refusal } from "../lib/api";
import { fieldErrors } from "../words/field_errors";
import { language } from "../words/words.svelte";

export type Schemas = components["schemas"];
export type Member = Schemas["Member"];
export type SchoolClass = Schemas["ClassView"];
/** Does something and says what went wrong with it. */
export type Run = (work: () => Promise<unknown>, beside?: boolean) => Promise<void>;

const SIGNS: Record<string, string> = { "-": "−", x: "×", "/": "÷" };

/** What went wrong, for an adult, with the number by which an operator finds it. */
export function trouble(error: unknown): string {
  const { adult, fields, troubles } = language.says;
  if (!(error instanceof Refusal)) return adult.away;
  const said = troubles[error.code] ?? (error.passing ? adult.busy : error.document.title);
  const why = fieldErrors(error.document, (loc) => fields[loc.split(".").at(-1)!] ?? null);
  const told = why.length ? why : [said ?? adult.failed];
  return `${told.join(" ")} ${error.requestId && `(${error.requestId.slice(0, 8)})`}`.trim();
}

/** 11월 23일 10:20 */
export function day(at: string): string {
  const moment = new Date(at);
  const time = `${moment.getHours()}:${String(moment.getMinutes()).padStart(2, "0")}`;
  return language.says.adult.day(moment.getMonth() + 1, moment.getDate(), time);
}

/** 2026-11-23 → 11월 23일 */
export function date(iso: string): string {
  const [, month, of] = iso.split("-").map(Number);
  return language.says.adult.date(month!, of!);
}

/** 2026-11-23 → 11/23 */
export function brief(iso: string): string {
  const [, month, of] = iso.split("-");
  return language.says.adult.brief(month!, of!);
}

/** The first and the last year in which a child of this service may be born. */
export function birthYears(): [number, number] {
  const now = new Date().getFullYear();
  return [now - 30, now - 3];
}

/** 28-15 → 28−15 */
export const written = (expression: string): string =>
  expression.replace(/[-x/]/g, (sign) => SIGNS[sign] ?? sign);

export const ofStudent = (studentId: string): string => `/students/${encodeURIComponent(studentId)}`;

import type { components } from "../api";
import { Refusal } from "../lib/api";
import { fieldErrors } from "../words/field_errors";
import { language } from "../words/words.svelte";
import { says } from "./words/says";

/** What went wrong, for an author: the reasons that the service gives, and the number by which an operator finds it. */
export function trouble(error: unknown): string {
  const { adult, troubles } = language.says;
  const author = says();
  if (!(error instanceof Refusal)) return author.unreached;
  const said =
    author.failures[error.code] ??
    troubles[error.code] ??
    (error.passing ? adult.busy : error.document.title);
  const why = fieldErrors(error.document, (loc) => author.at(loc));
  return [said ?? adult.failed, ...why, `(${error.requestId.slice(0, 8)})`].join(" ");
}

/** A message of the checker, in the language of the page. */
export const saidOf = (one: { message: string; korean: string }): string =>
  language.of({ english: one.message, korean: one.korean });

/** A fault of a file, with its place. */
export const placed = (fault: components["schemas"]["FlowFault"]): string =>
  `${fault.path.split("/").at(-1)}:${fault.line} ${fault.where && `${fault.where}: `}${saidOf(fault)}`;

/** A value as people read it: a text as it is, anything else as JSON. */
export function shown(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

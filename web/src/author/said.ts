import { Refusal } from "../lib/api";
import { language } from "../words/words.svelte";

interface Place {
  loc: string;
  msg: string;
}

/** What went wrong, for an author: the reasons that the service gives, and the number by which an operator finds it. */
export function trouble(error: unknown): string {
  const { adult, author, troubles } = language.says;
  if (!(error instanceof Refusal)) return author.unreached;
  const places = ((error.document as { errors?: Place[] }).errors ?? []).slice(0, 3);
  const said =
    author.failures[error.code] ??
    troubles[error.code] ??
    (error.passing ? adult.busy : error.document.title);
  const why = places.map((one) => ` ${one.loc}: ${one.msg}.`).join("");
  return `${said ?? adult.failed}${why} (${error.requestId.slice(0, 8)})`;
}

/** A value as people read it: a text as it is, anything else as JSON. */
export function shown(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

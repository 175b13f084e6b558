/** What the service refused in the fields of a form, a sentence for each. */
import { language } from "./words.svelte";

interface FieldError {
  loc: string;
  msg: string;
  korean?: string | null;
}

const MOST = 3;

/** `named`: what a form calls a field; null for what no person has filled in. */
export function fieldErrors(
  document: { errors?: FieldError[] | null },
  named: (loc: string) => string | null,
): string[] {
  const found = (document.errors ?? []).flatMap((one) => {
    const name = named(one.loc);
    const why = language.of({ english: one.msg, korean: one.korean ?? language.says.look });
    return name === null ? [] : [`${name}: ${why}${/[.?]$/.test(why) ? "" : "."}`];
  });
  return [...new Set(found)].slice(0, MOST);
}

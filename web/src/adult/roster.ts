/** The children that the caller may see, however many they are, in the order of what they are called. */
import { get } from "../lib/api";
import type { Schemas } from "./school";

export async function roster(): Promise<Schemas["Student"][]> {
  const found: Schemas["Student"][] = [];
  for (let after: string | null = ""; after !== null; ) {
    const page: Schemas["Students"] = await get(`/students?limit=200&after=${encodeURIComponent(after)}`);
    found.push(...page.students);
    after = page.next;
  }
  return found.toSorted((one, other) => one.called.localeCompare(other.called, "ko"));
}

/** Child → what it is called; no two alike. */
export const nicknames = async (): Promise<Record<string, string>> =>
  Object.fromEntries((await roster()).map((one) => [one.student_id, one.called]));

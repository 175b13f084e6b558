/** What a page will ask for, asked for as soon as its address is known: while its script is still on the way. */
import { get } from "../lib/api";

const WEEKS = 8;
const begun = new Map<string, Promise<unknown>>();

export const ofClass = (classId: string): string => `/classes/${encodeURIComponent(classId)}/overview`;
export const ofLearner = (studentId: string): string =>
  `/students/${encodeURIComponent(studentId)}/overview?weeks=${WEEKS}`;

/** Begins with a teacher's page of this address. Who may not see it is told so when the page asks. */
export function begin(address: string): void {
  const [, kind, id] = address.split("/").slice(1).map(decodeURIComponent);
  if (!id || (kind !== "class" && kind !== "student")) return;
  const path = kind === "class" ? ofClass(id) : ofLearner(id);
  const asked = get(path);
  asked.catch(() => {});
  begun.set(path, asked);
  void import("./Teacher.svelte");
  if (kind === "student") void import("./Learner.svelte");
}

/** The answer that was begun with, once; later ones are asked for anew. */
export function taken<T>(path: string): Promise<T> {
  const asked = begun.get(path);
  begun.delete(path);
  return (asked as Promise<T> | undefined) ?? get<T>(path);
}

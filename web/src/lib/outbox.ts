/** Sends a child's events so that each arrives once: kept before it is sent, sent until it is answered. */
import { post, Refusal, type StrategyRecorded, type Task, type Turn, type Waiting } from "./api";
import { drop, keep, type Letter, lettersOf } from "./kept";
import { report } from "./trouble";

/** Seconds before each new try; the last one for all that follow. */
const PAUSES = [1, 2, 4, 8, 15];

export type Outcome =
  | { is: "taken"; answer: Turn | Waiting | StrategyRecorded }
  | { is: "stale"; task: Task | null }
  | { is: "refused"; status: number }
  | { is: "signed_out" };

/** `away` is told while the service cannot be reached, and again when it can. */
export async function deliver(letter: Letter, away: (is: boolean) => void): Promise<Outcome> {
  await keep("outbox", letter);
  for (let tries = 0; ; tries++) {
    try {
      const answer = await post<Turn | Waiting | StrategyRecorded>(
        `/sessions/${letter.session_id}/events`,
        letter.body,
      );
      await drop("outbox", letter.request_id);
      away(false);
      return { is: "taken", answer };
    } catch (error) {
      if (error instanceof Refusal && !error.passing) {
        away(false);
        if (error.status === 401) return { is: "signed_out" };
        await drop("outbox", letter.request_id);
        if (error.code === "stale_task") return { is: "stale", task: error.document.task ?? null };
        // What this child may not do is no fault of the page.
        if (error.status !== 403) report(`an event was refused, request ${error.requestId}`, error.document);
        return { is: "refused", status: error.status };
      }
      away(true);
      await pause(tries, error instanceof Refusal ? error.retryAfter : null);
    }
  }
}

/** Tries until the service answers; a refusal that will not pass is thrown. `away` is told as by `deliver`. */
export async function patiently<T>(work: () => Promise<T>, away: (is: boolean) => void): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      const found = await work();
      away(false);
      return found;
    } catch (error) {
      const refusal = error instanceof Refusal ? error : null;
      away(refusal?.passing !== false);
      if (refusal && !refusal.passing) throw refusal;
      await pause(tries, refusal?.retryAfter ?? null);
    }
  }
}

/** Sends what the child has played outside of a session and nobody has confirmed. */
export async function deliverLeft(studentId: string): Promise<void> {
  for (const letter of await lettersOf(studentId)) void deliver(letter, () => {});
}

/** Waits before try number `tries` + 1, with up to a quarter more; ends early when the network comes back. */
export function pause(tries: number, atLeast: number | null): Promise<void> {
  const seconds = Math.max(PAUSES[Math.min(tries, PAUSES.length - 1)]!, atLeast ?? 0);
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener("online", done);
      resolve();
    };
    const timer = setTimeout(done, seconds * (1000 + Math.random() * 250));
    addEventListener("online", done);
  });
}

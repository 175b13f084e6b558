import { pause } from "./outbox";

/** A part of the page, asked for again and again until it comes. */
export async function part<T>(load: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await load();
    } catch {
      await pause(tries, null);
    }
  }
}

/** Fetches parts of the page before they are needed, as a tap may need them while there is no network. */
export function ahead(...parts: (() => Promise<unknown>)[]): void {
  for (const part of parts) void part().catch(() => {}); // it is fetched again where it is needed
}

/** Fetches parts of the page before they are needed, as a tap may need them while there is no network. */
export function ahead(...parts: (() => Promise<unknown>)[]): void {
  for (const part of parts) void part().catch(() => {}); // it is fetched again where it is needed
}

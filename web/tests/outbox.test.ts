import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { waitingLetters } from "../src/lib/kept";
import { deliver } from "../src/lib/outbox";

const letter = { request_id: "r-1", session_id: "s", body: { type: "stop", request_id: "r-1" } };
const answers: (Response | Error)[] = [];
let sent: string[];

beforeEach(() => {
  sent = [];
  vi.useFakeTimers();
  vi.stubGlobal("addEventListener", () => {});
  vi.stubGlobal("removeEventListener", () => {});
  vi.stubGlobal("fetch", async (_: string, init: RequestInit) => {
    sent.push(String(init.body));
    const next = answers.shift()!;
    if (next instanceof Error) throw next;
    return next;
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const json = (status: number, body: object, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers });

async function outcome(...given: (Response | Error)[]) {
  answers.push(...given);
  const away: boolean[] = [];
  const sending = deliver(letter, (is) => away.push(is));
  await vi.runAllTimersAsync();
  return { found: await sending, away };
}

test("the same letter is sent until it is answered, and is kept until then", async () => {
  const { found, away } = await outcome(
    new TypeError("network"),
    json(503, { code: "store_unavailable" }, { "Retry-After": "3" }),
    json(200, { turn: 1 }),
  );
  expect(found).toEqual({ is: "taken", answer: { turn: 1 } });
  expect(new Set(sent).size).toBe(1);
  expect(sent).toHaveLength(3);
  expect(away).toEqual([true, true, false]);
  expect(await waitingLetters("s")).toEqual([]);
});

test("a stale task gives way to the one in the refusal", async () => {
  const { found } = await outcome(json(409, { code: "stale_task", task: { task_id: "t2" } }));
  expect(found).toEqual({ is: "stale", task: { task_id: "t2" } });
  expect(await waitingLetters("s")).toEqual([]);
});

test("who is signed out keeps the letter", async () => {
  const { found } = await outcome(json(401, { code: "unauthorized" }));
  expect(found).toEqual({ is: "signed_out" });
  expect(await waitingLetters("s")).toEqual([letter]);
});

test("what can never be taken is dropped", async () => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  const { found } = await outcome(json(422, { code: "invalid_input" }));
  expect(found).toEqual({ is: "refused", status: 422 });
  expect(await waitingLetters("s")).toEqual([]);
});

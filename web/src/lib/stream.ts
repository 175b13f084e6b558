/** Server-sent events read from `fetch`, and taken up again where the connection breaks: no event is lost or told twice. */
import { Refusal } from "./api";
import { pause } from "./outbox";

export interface Frame {
  id: string | null;
  data: string;
}

/** The last line of some streams. */
const DONE = "[DONE]";

/** The frames of a body, as they come. Comments are passed over. */
export async function* frames(body: ReadableStream<Uint8Array>): AsyncGenerator<Frame> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true }).replaceAll("\r", "");
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        const lines = text.slice(0, end).split("\n");
        text = text.slice(end + 2);
        const field = (name: string) => lines.filter((line) => line.startsWith(`${name}: `));
        const data = field("data").map((line) => line.slice(6));
        if (data.length) yield { id: field("id").at(-1)?.slice(4) ?? null, data: data.join("\n") };
      }
    }
  } finally {
    void reader.cancel().catch(() => {});
  }
}

interface Told<E> {
  /** Asks for the events behind `lastId`, all of them at first. */
  open: (lastId: string | null) => Promise<Response>;
  /** True for the last event. */
  event: (event: E) => boolean;
  /** Is told while the service cannot be reached. */
  away: (is: boolean) => void;
  /** The last event that is known already; null for none. */
  since?: string | null;
}

/** Tells every event to the last one, whose id it gives. Throws a `Refusal` that will not pass. */
export async function follow<E extends { type: string }>({
  open,
  event,
  away,
  since = null,
}: Told<E>): Promise<string | null> {
  let last = since;
  for (let tries = 0; ; tries++) {
    try {
      const answer = await open(last);
      away(false);
      for await (const { id, data } of frames(answer.body!)) {
        if (data === DONE) return last;
        const told: E = JSON.parse(data);
        if (told.type === "closing") break;
        last = id ?? last;
        tries = 0;
        if (event(told)) return last;
      }
    } catch (error) {
      if (error instanceof Refusal && !error.passing) throw error;
      away(true);
      await pause(tries, error instanceof Refusal ? error.retryAfter : null);
      continue;
    }
    await pause(0, null);
  }
}

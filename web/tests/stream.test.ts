import { beforeEach, describe, expect, it, vi } from "vitest";
import { type Frame, follow, frames } from "../src/lib/stream";

const TEXT = [": hello", 'id: 1-0\r\ndata: {"n":1}\r\nretry: 2000', 'id: 1-1\ndata: {"n":2}', "data: [DONE]"];

/** The text in pieces that end anywhere, also within a letter. */
function body(text: string, size: number): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
      controller.close();
    },
  });
}

async function all(text: string, size: number): Promise<Frame[]> {
  const found: Frame[] = [];
  for await (const frame of frames(body(text, size))) found.push(frame);
  return found;
}

beforeEach(() => {
  vi.stubGlobal("addEventListener", () => {});
  vi.stubGlobal("removeEventListener", () => {});
});

describe("frames", () => {
  it("are the same however the bytes come", async () => {
    const text = `${TEXT.join("\n\n")}\n\n`;
    for (const size of [1, 2, 3, 7, 1000]) {
      expect(await all(text, size)).toEqual([
        { id: "1-0", data: '{"n":1}' },
        { id: "1-1", data: '{"n":2}' },
        { id: null, data: "[DONE]" },
      ]);
    }
  });

  it("keep letters that come in two pieces", async () => {
    expect(await all('id: 1\ndata: {"token":"받아올림"}\n\n', 2)).toEqual([
      { id: "1", data: '{"token":"받아올림"}' },
    ]);
  });

  it("leave out one that broke off", async () => {
    expect(await all('id: 1\ndata: {"n":1}\n\nid: 2\ndata: {"n"', 5)).toHaveLength(1);
  });
});

describe("a stream that breaks", () => {
  it("is taken up behind the last event, and each is told once", async () => {
    const sent = Array.from({ length: 5 }, (_, n) => `id: ${n}\ndata: {"type":"token","n":${n}}\n\n`);
    const asked: (string | null)[] = [];
    const told: number[] = [];
    await follow<{ type: string; n: number }>({
      open: async (last) => {
        asked.push(last);
        const from = last === null ? 0 : Number(last) + 1;
        if (asked.length === 2) throw new TypeError("no network");
        return new Response(body(sent.slice(from, from + 2).join(""), 9));
      },
      event: ({ n }) => told.push(n) > 0 && n === 4,
      away: () => {},
    });
    expect(told).toEqual([0, 1, 2, 3, 4]);
    expect(asked).toEqual([null, "1", "1", "3"]);
  }, 20_000);
});

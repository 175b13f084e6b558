import { readFileSync } from "node:fs";
import { join } from "node:path";
import { render } from "svelte/server";
import { describe, expect, it } from "vitest";
import type { Visual } from "../src/lib/api";
import Picture from "../src/widgets/Picture.svelte";
import { pictureOf } from "../src/widgets/picture";
import Widget from "../src/widgets/Widget.svelte";

type Model = Visual["model"];
const BANK = join(import.meta.dirname, "../../configs/arithmetic/problem_bank.csv");
const MODES: Visual["mode"][] = ["ten_frame", "array", "number_line", "base_ten", "coin"];
const MODELS: Record<string, Model[]> = {
  "+": ["join", "gap"],
  "-": ["take"],
  x: ["groups"],
  "/": ["share"],
};
const LARGEST = { ten_frame: 20, number_line: 100, array: 9999, coin: 199, base_ten: 1999 };
/** What a token is worth stands on it, whatever the sum is. */
const TOKEN = /<(button|span) class="token.*?<\/\1>/gs;

/** The numbers that are written or named in what is drawn. */
function figures(html: string): Set<number> {
  const bare = html.replace(TOKEN, "");
  const names = [...bare.matchAll(/aria-label="([^"]*)"/g)].map(([, name]) => name);
  const texts = [...bare.matchAll(/>([^<]+)</g)].map(([, text]) => text);
  return new Set([...names, ...texts].join(" ").match(/\d+/g)?.map(Number));
}

const problems = [
  ...new Map(
    readFileSync(BANK, "utf8")
      .split("\n")
      .slice(1)
      .filter(Boolean)
      .map((line) => {
        const [, a, op, b] = line.split(",") as [string, string, string, string];
        return [`${a}${op}${b}`, { a: Number(a), op, b: Number(b) }] as const;
      }),
  ).values(),
];
const resultOf = (a: number, op: string, b: number) =>
  op === "+" ? a + b : op === "-" ? a - b : op === "x" ? a * b : a / b;

/** As the service picks what is shown. */
function shownOf(model: Model, a: number, op: string, b: number): [number, number] {
  return model === "gap" ? [a, a + b] : op === "x" ? [b, a] : [a, b];
}

function fits({ mode, model, shown: [one, other] }: Visual): boolean {
  const most =
    model === "join"
      ? one! + other!
      : mode === "number_line" && model === "groups"
        ? one! * other!
        : Math.max(one!, other!);
  return most <= LARGEST[mode as keyof typeof LARGEST];
}

describe("the picture of a problem", () => {
  it("has the answer of no problem of the bank in figures, in any mode and model", () => {
    const told: string[] = [];
    let drawn = 0;
    for (const { a, op, b } of problems) {
      for (const model of MODELS[op]!) {
        const shown = shownOf(model, a, op, b);
        const answer = model === "gap" ? b : resultOf(a, op, b);
        if ([...shown, ...(model === "gap" ? [] : [a, b])].includes(answer)) continue;
        for (const mode of MODES) {
          const visual: Visual = { mode, model, shown, movable: true };
          if (!fits(visual) || (mode === "base_ten" && drawn % 7)) {
            drawn += 1;
            continue;
          }
          drawn += 1;
          if (figures(render(Picture, { props: { visual } }).body).has(answer))
            told.push(`${mode} ${model} ${shown}`);
        }
      }
    }
    expect(told).toEqual([]);
    expect(drawn).toBeGreaterThan(10_000);
  }, 240_000);

  it("tells no quotient where a child asks for it", () => {
    for (const [a, b] of [
      [84, 7],
      [60, 5],
      [96, 8],
      [100, 4],
    ] as const) {
      const visual = pictureOf({ a, op: "/", b, result: null } as Parameters<typeof pictureOf>[0])!;
      expect(figures(render(Picture, { props: { visual } }).body)).not.toContain(a / b);
    }
  });
});

describe("the line of a training", () => {
  it("goes on behind the sum by way of a round number", () => {
    for (let a = 1; a < 100; a++)
      for (let sum = Math.ceil(a / 10) * 10 + 10; sum < a + 40; sum += 10) {
        const params = { a, b: sum - a, target: Math.ceil(a / 10) * 10 };
        const drawn = render(Widget, {
          props: { widget: "number_line", ask: "borrow_to_hundred", params, step: 2 },
        });
        expect(figures(drawn.body), `${a} to ${sum}`).not.toContain(sum);
      }
  });
});

/** What the newest answers of a child add up to: the same numbers for drawings, tables and files. */
import type { Schemas } from "./school";

export type Turn = Schemas["StudentTurn"];

/** The times of one operation, answered in one way; `median`: in ms, of this child alone. */
export interface Times {
  operation: string;
  input: string;
  turns: Turn[];
  median: number;
}

/** How the service writes a sign → the operation. */
const SIGNS: Record<string, string> = { "+": "+", "−": "-", "-": "-", "×": "x", x: "x", "÷": "/", "/": "/" };
const SIGN = /[-−+x×/÷]/;
const ORDER = "+-x/";

export const isAnswer = (turn: Turn): boolean => turn.correct !== null;
export const isStated = (turn: Turn): boolean => turn.cause_tag !== null && turn.confidence === "high";

/** Of those that have a reliable time, by operation and the way of answering. */
export function times(turns: readonly Turn[]): Times[] {
  const found = new Map<string, Turn[]>();
  for (const turn of turns) {
    const operation = SIGNS[SIGN.exec(turn.expression ?? "")?.[0] ?? ""];
    if (!operation || !turn.input || turn.rt_ms === null || !isAnswer(turn)) continue;
    const key = `${operation} ${turn.input}`;
    found.set(key, [...(found.get(key) ?? []), turn]);
  }
  return [...found]
    .map(([key, own]) => {
      const [operation, input] = key.split(" ") as [string, string];
      return { operation, input, turns: own, median: middle(own.map((one) => one.rt_ms ?? 0)) };
    })
    .toSorted((a, b) => ORDER.indexOf(a.operation) - ORDER.indexOf(b.operation));
}

function middle(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

/** Neighbours for which something holds, as their first and last places. */
export function stretches(turns: readonly Turn[], holds: (turn: Turn) => boolean): [number, number][] {
  const found: [number, number][] = [];
  for (const [place, turn] of turns.entries()) {
    if (!holds(turn)) continue;
    const before = found.at(-1);
    if (before?.[1] === place - 1) before[1] = place;
    else found.push([place, place]);
  }
  return found;
}

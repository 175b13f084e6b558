/** Which picture fits a problem whose tutor shows none: for the child that asks for one. */
import type { Task, Visual } from "../lib/api";

type Problem = NonNullable<Task["problem"]>;

export function pictureOf({ a, op, b, result }: Problem): Visual | null {
  const known = [a, b, result].filter((one) => one !== null);
  if (known.length !== 2) return null;
  const [left, right] = known as [number, number];
  if (op === "x" && result === null)
    return { mode: "array", model: "groups", shown: [right, left], movable: true };
  if (op === "/" && result === null) {
    return left <= 100 && right <= 10 && right > 0
      ? { mode: "array", model: "share", shown: [left, right], movable: true }
      : null;
  }
  if (op !== "+" && op !== "-") return null;
  const model = result !== null ? "gap" : op === "+" ? "join" : "take";
  const shown = model === "gap" && op === "-" ? [right, left] : [left, right];
  const most = model === "join" ? left + right : Math.max(left, right);
  if (most <= 20) return { mode: "ten_frame", model, shown, movable: true };
  return most <= 999 ? { mode: "base_ten", model, shown, movable: true } : null;
}

/** Hundreds, tens and ones. */
export function places(number: number): { hundreds: number; tens: number; ones: number } {
  return { hundreds: Math.floor(number / 100), tens: Math.floor(number / 10) % 10, ones: number % 10 };
}

/** What a task is to the page. */
import type { Task, Turn } from "../lib/api";

const SIGNS: Record<string, string> = { "+": "+", "-": "−", x: "×", "/": "÷" };

/** Whether it is written in columns: where the tutor says so, or where both numbers cannot be seen at once. */
export function isColumns({ kind, problem, presentation }: Task): boolean {
  if (!problem || kind === "worked_example" || presentation.story) return false;
  const { a, op, b, result, layout } = problem;
  if (b === null || result !== null || op === "/") return false;
  return presentation.grid || (layout === "vertical" && Math.max(a, b) > 9);
}

/** 28+15=□, whatever of it is asked. */
export function wholeOf({ problem }: Task): string {
  return problem ? `${problem.a}${SIGNS[problem.op]}${problem.b ?? "□"}=${problem.result ?? "□"}` : "";
}

/** What a choice stands for where it is not the number itself. */
export function labelOf({ widget }: Task, choice: number): string {
  if (widget?.name === "compare") return choice === 1 ? "왼쪽" : "오른쪽";
  const words = widget?.params.words;
  return Array.isArray(words) ? String(words[choice - 1]) : String(choice);
}

/** The equation of what was solved together, unless its last step says it. */
export function wholeEquation(solution: Turn["solution"]): string | null {
  const { steps = [], equation = null } = solution ?? {};
  return steps.at(-1)?.expression === equation ? null : equation;
}

/** A procedure while it is being described. */
import type { Cluster, Definition } from "./words";

type Operation = Cluster["operation"];
type Columns = { value: string; write: string; carry: string; per: string; rest: "dropped" | "written" };
export interface Seen {
  a: number | null;
  b: number | null;
  answer: number | null;
}

const START: Record<Operation, Columns> = {
  "+": { value: "top + bottom + carry", write: "value % 10", carry: "value // 10", per: "", rest: "written" },
  "-": { value: "top - bottom", write: "value", carry: "0", per: "", rest: "dropped" },
  x: { value: "top * factor + carry", write: "value % 10", carry: "value // 10", per: "b", rest: "written" },
  "/": { value: "top", write: "value", carry: "0", per: "", rest: "dropped" },
};
const WHOLE: Record<Operation, string> = { "+": "a + b", "-": "larger - smaller", x: "a * b", "/": "a // b" };
const THREE = 3;
/** What a way is tried on where children have shown too little. */
const USUAL: Record<Operation, [number, number][]> = {
  "+": [
    [28, 15],
    [47, 36],
    [258, 167],
  ],
  "-": [
    [52, 38],
    [63, 21],
    [503, 278],
  ],
  x: [
    [7, 8],
    [23, 4],
    [46, 27],
  ],
  "/": [
    [56, 8],
    [42, 6],
    [81, 9],
  ],
};

export class Draft {
  kind = $state<"procedure" | "exception">("procedure");
  title = $state("");
  operation = $state<Operation>("-");
  form = $state<Cluster["form"]>("result");
  cause = $state("");
  needs = $state<string[]>([]);
  when = $state("1");
  byColumn = $state(true);
  columns = $state<Columns>({ ...START["-"] });
  top = $state("a");
  bottom = $state("b");
  align = $state<"right" | "left">("right");
  join = $state<"places" | "side_by_side">("places");
  keep = $state("keep");
  answer = $state("written");
  seen = $state<Seen[]>([]);
  candidate: number | null = null;

  /** Begins with what a cluster shows. */
  static of(cluster: Cluster, title: string, cause: string, candidate: number | null): Draft {
    const draft = new Draft();
    draft.title = title;
    draft.cause = cause;
    draft.candidate = candidate;
    draft.form = cluster.form;
    draft.choose(cluster.operation);
    const shown = new Map(cluster.examples.map((one) => [one.expression, one]));
    const found = [...shown.values()].map((one) => ({
      ...numbers(one.expression, one.right),
      answer: one.given,
    }));
    draft.show(found.filter((one) => one.a !== null));
    return draft;
  }

  constructor() {
    this.show([]);
  }

  /** Three problems: those that children answered, then usual ones. */
  show(found: Seen[]): void {
    const usual = this.form === "result" ? USUAL[this.operation] : [];
    const others = usual.filter(([a, b]) => !found.some((one) => one.a === a && one.b === b));
    const more = others.map(([a, b]) => ({ a, b, answer: null }));
    this.seen = Array.from(
      { length: THREE },
      (_, place) => [...found, ...more][place] ?? { a: null, b: null, answer: null },
    );
  }

  choose(operation: Operation): void {
    this.operation = operation;
    this.show(this.seen.filter((one) => one.answer !== null));
    this.columns = { ...START[operation] };
    if (operation === "/") this.byColumn = false;
    this.answer = this.byColumn ? "written" : WHOLE[operation];
  }

  byColumns(is: boolean): void {
    this.byColumn = is;
    this.answer = is ? "written" : WHOLE[this.operation];
  }

  get way() {
    const { top, bottom, align, join, keep } = this;
    const columns = this.byColumn
      ? { top, bottom, align, join, keep, ...this.columns, per: this.columns.per || null }
      : null;
    return { operation: this.operation, form: this.form, when: this.when, columns, answer: this.answer };
  }

  /** The problems that have both numbers. */
  get asked(): Seen[] {
    return this.seen.filter((one) => one.a !== null && one.b !== null);
  }

  get complete(): boolean {
    return this.title.trim().length > 1 && this.cause !== "" && this.asked.some((one) => one.answer !== null);
  }

  get definition(): Definition {
    const { title, cause: cause_tag, operation, form } = this;
    const answers = this.asked.filter((one) => one.answer !== null);
    const named = { title: title.trim(), cause_tag, operation, form, needs: this.needs };
    return (
      this.kind === "exception"
        ? { kind: "exception", ...named, answers }
        : { kind: "procedure", ...named, ...this.way, example: answers[0] }
    ) as Definition;
  }
}

/** The numbers of an expression as the service writes it, such as 52−38, 98+□=100. */
function numbers(expression: string, right: number): { a: number | null; b: number | null } {
  const whole = /^(\d+)[+−×÷](\d+)$/.exec(expression);
  if (whole) return { a: Number(whole[1]), b: Number(whole[2]) };
  const part = /^(\d+)[+−×÷]□=\d+$/.exec(expression);
  return part ? { a: Number(part[1]), b: right } : { a: null, b: null };
}

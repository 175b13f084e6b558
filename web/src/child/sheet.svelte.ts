/** What a child has written for one task: the number, its notes in columns, and what it found at each step. */
import type { Clock } from "../lib/clock";

const LONGEST = 6;

export class Sheet {
  typed = $state("");
  carries = $state<string[]>([]);
  found = $state<string[]>([]);
  /** The number was said, not written. */
  said = $state(false);

  /** `kept` is called after each change that a reload must not lose. */
  constructor(
    private readonly clock: Clock,
    private readonly kept: (sheet: Sheet) => void,
    { typed = "", carries = [] as string[], steps = 0 } = {},
  ) {
    this.typed = typed;
    this.carries = [...carries];
    this.found = Array<string>(steps).fill("");
  }

  type(digit: string, event: Event): void {
    const before = this.said ? "" : this.typed;
    if (before.length < LONGEST) this.put(before + digit, event);
  }

  erase(event: Event): void {
    this.put(this.said ? "" : this.typed.slice(0, -1), event);
  }

  /** Sets what stands in the columns, from the ones up. */
  write(typed: string, carries: string[], event: Event): void {
    this.carries = carries;
    this.put(typed, event);
  }

  hear(number: number): void {
    this.typed = String(number);
    this.said = true;
    this.kept(this);
  }

  /** Sets what a step has found. */
  find(step: number, typed: string, event: Event): void {
    this.clock.touched(event, { types: true });
    if (typed.length <= LONGEST) this.found[step] = typed;
  }

  private put(typed: string, event: Event): void {
    const longer = typed.length > this.typed.length;
    this.clock.touched(event, { types: longer });
    if (typed.length < this.typed.length) this.clock.corrected();
    this.typed = typed;
    this.said = false;
    this.kept(this);
  }
}

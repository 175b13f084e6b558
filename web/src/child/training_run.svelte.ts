/** A training as it is played: its items one after the other, each step asked until it is right or has been shown. */
import type { ItemResults, Training } from "../lib/api";
import { tone } from "../lib/tone";

const PLACE_SHARE = 0.05;

export class TrainingRun {
  stage = $state<"intro" | "asks" | "praises" | "over">("intro");
  index = $state(0);
  step = $state(0);
  /** The solution of the step is shown. */
  revealed = $state(false);
  /** What is said about the last answer. */
  told = $state<readonly string[]>([]);
  typed = $state("");
  placed = $state<number | null>(null);
  /** Nothing can be answered yet. */
  closed = $state(false);
  private missed = false;
  private rights = $state(0);
  private outcomes: boolean[] = [];
  private results: ItemResults["items"] = [];
  private answers: (number | string)[] = [];
  private tries: number[] = [];
  private helped = false;
  private since = 0;
  private turns = 0;

  constructor(
    private readonly training: Training,
    private readonly items: Training["items"],
  ) {}

  readonly item = $derived.by(() => this.items[this.index % this.items.length]!);
  readonly widget = $derived.by(() => this.item.widget ?? this.training.widget);
  readonly asked = $derived.by(() => this.item.steps[Math.min(this.step, this.item.steps.length - 1)]!);
  readonly places = $derived(this.widget === "number_line" && this.item.ask === "place");
  /** The answer is written with signs, as an expression is. */
  readonly copies = $derived(typeof this.asked.answer === "string" && !this.asked.choices);
  readonly ready = $derived(!this.closed && (this.places ? this.placed !== null : this.typed !== ""));

  get done(): ItemResults {
    return { items: this.results };
  }

  /** Stones of the way: an item that was right is one, and none is taken away. */
  readonly stones = $derived.by(() => {
    const { of } = this.training.done;
    return { done: Math.min(of, this.rights), of };
  });

  begin(): void {
    this.stage = "asks";
    this.step = 0;
    this.fresh();
    this.closed = this.widget === "stop_think_go";
    this.answers = [];
    this.tries = [];
    this.helped = false;
    this.since = performance.now();
  }

  /** Answers with what was written or placed. */
  answer(): void {
    if (this.places) this.give(this.placed!);
    else this.give(this.copies ? this.typed : Number(this.typed));
  }

  give(value: number | string): void {
    if (this.closed || this.revealed) return;
    this.answers[this.step] = value;
    this.tries[this.step] = (this.tries[this.step] ?? 0) + 1;
    if (this.isRight(value)) this.stepDone(true);
    else if (this.missed) {
      this.revealed = this.helped = true;
      this.told = [];
      this.typed = String(this.asked.answer);
    } else {
      this.missed = true;
      this.told = this.say(this.training.prompts.again);
      this.typed = "";
      this.placed = null;
    }
  }

  /** After a step was shown: the next one, or the next item. */
  goOn(): void {
    this.stepDone(false);
  }

  /** After the praise: the next item, or the end. */
  next(): void {
    const { correct, of } = this.training.done;
    const enough = this.outcomes.slice(-of).filter(Boolean).length >= correct;
    if (enough || this.outcomes.length >= this.training.max_items) {
      this.told = this.training.prompts.done;
      this.stage = "over";
      return;
    }
    this.index += 1;
    this.begin();
  }

  private stepDone(right: boolean): void {
    if (this.step + 1 < this.item.steps.length) {
      this.step += 1;
      this.fresh();
    } else this.finish(right);
  }

  private fresh(): void {
    this.typed = "";
    this.placed = null;
    this.missed = this.revealed = false;
    this.told = [];
  }

  private isRight(value: number | string): boolean {
    const { answer } = this.asked;
    if (!this.places || typeof answer !== "number" || typeof value !== "number")
      return String(value) === String(answer);
    const { low, high } = this.item.params;
    return Math.abs(value - answer) <= (Number(high) - Number(low)) * PLACE_SHARE;
  }

  private finish(right: boolean): void {
    this.outcomes.push(right);
    if (right) this.rights += 1;
    this.results.push({
      item_id: this.item.id,
      answers: this.answers,
      tries: this.tries,
      ms: Math.round(performance.now() - this.since),
      shown: this.helped,
    });
    if (!right) {
      this.next();
      return;
    }
    tone();
    this.step = this.item.steps.length;
    this.told = this.say(this.training.prompts.right);
    this.stage = "praises";
  }

  /** Each wording in its turn. */
  private say(wordings: readonly (readonly string[])[]): readonly string[] {
    return wordings[this.turns++ % wordings.length]!;
  }
}

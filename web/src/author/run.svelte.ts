/** A run of a flow, as it goes on: what each step was given and gave, and what a person is asked. */
import type { components } from "../api";
import { freshId, get, post, send } from "../lib/api";
import { follow } from "../lib/stream";

type Schemas = components["schemas"];
export type Execution = Schemas["Execution"];
export type Step = Schemas["ExecutionStep"];
export type Question = Schemas["OpenQuestion"];

interface Told {
  type: string;
  step?: string;
  name?: string;
  kind?: string;
  ms?: number;
  attempts?: number;
  inputs?: unknown;
  output?: unknown;
  prints?: unknown;
  to?: string | null;
  message?: string;
  code?: string;
  tool?: string | null;
  action?: string;
  reason?: string;
  question?: unknown;
  form?: Record<string, unknown>;
  expires_at?: number | null;
  errors?: string[];
  steps?: string[];
}

const ENDED = new Set(["completed", "failed", "cancelled"]);
const STATES: Record<string, Step["status"]> = {
  step_started: "running",
  step_finished: "done",
  step_failed: "failed",
  step_skipped: "skipped",
  waiting: "waiting",
};

export class Run {
  execution = $state.raw<Execution | null>(null);
  steps = $state<Step[]>([]);
  waiting = $state<Question[]>([]);
  away = $state(false);
  readonly ended = $derived(ENDED.has(this.execution?.status ?? ""));
  /** Step → how it is, for the picture: of a foreach the last item. */
  readonly states = $derived(
    Object.fromEntries(
      this.steps.map((step) => [step.step.replace(/^.*[./]/, "").replace(/\[\d+\]$/, ""), step.status]),
    ),
  );
  #last: string | null = null;
  #followed = "";

  /** Begins a run of what is saved. Throws `Refusal`. */
  async begin(file: string, inputs: Record<string, unknown>): Promise<void> {
    const path = `/flows/${encodeURIComponent(file)}/run`;
    const answer = await send("POST", path, { inputs }, { "Idempotency-Key": freshId() });
    await this.open((await answer.json()).execution_id);
  }

  async open(id: string): Promise<void> {
    this.#last = null;
    this.#followed = id;
    await this.#load(id);
    void this.#follow(id).catch(() => {
      this.away = true;
    });
  }

  close(): void {
    this.#followed = "";
    this.execution = null;
    this.steps = [];
    this.waiting = [];
  }

  answer(step: string, value: unknown): Promise<void> {
    const several = this.waiting.length > 1;
    return this.#act("resume", { answer: several ? { [step]: value } : value });
  }

  retry(step: string): Promise<void> {
    return this.#act("retry", { from_step: step });
  }

  skip(step: string): Promise<void> {
    return this.#act("skip", { step });
  }

  /** The step has happened and gave this value. */
  markDone(step: string, value: unknown): Promise<void> {
    return this.#act("mark_done", { step, value });
  }

  cancel(): Promise<void> {
    return this.#act("cancel", undefined);
  }

  async #act(what: string, body: unknown): Promise<void> {
    const id = this.execution!.execution_id;
    try {
      this.execution = await post<Execution>(`/executions/${id}/${what}`, body);
      if (what === "resume") this.waiting = this.execution.waiting;
    } finally {
      await this.#load(id);
    }
    if (what !== "resume" && what !== "cancel") void this.#follow(id).catch(() => {});
  }

  async #load(id: string): Promise<void> {
    const found = await get<Execution>(`/executions/${id}`);
    if (this.#followed !== id) return;
    this.execution = found;
    this.steps = found.steps ?? this.steps;
    this.waiting = found.waiting;
  }

  async #follow(id: string): Promise<void> {
    while (this.#followed === id && !this.ended) {
      this.#last = await follow<Told>({
        open: (last) =>
          send("GET", `/executions/${id}/events`, undefined, last ? { "Last-Event-ID": last } : {}),
        event: (told) => this.#hear(id, told),
        away: (is) => {
          this.away = is;
        },
        since: this.#last,
      });
      await this.#load(id);
    }
  }

  #hear(id: string, told: Told): boolean {
    if (this.#followed !== id) return true;
    const status = STATES[told.type];
    if (status && told.step !== undefined) this.#step(told, status);
    if (told.type === "waiting") {
      const others = this.waiting.filter((one) => one.step !== told.step);
      const { step, question, form, expires_at, errors } = told;
      this.waiting = [
        ...others,
        { step: step!, question, form: form ?? {}, expires_at: expires_at ?? null, errors: errors ?? null },
      ];
    }
    if (told.type === "answered" || told.type === "expired")
      this.waiting = this.waiting.filter((one) => !told.steps?.includes(one.step));
    return told.type === "final";
  }

  #step(told: Told, status: Step["status"]): void {
    const before = this.steps.find((one) => one.step === told.step);
    const error =
      status === "failed"
        ? { tool: told.tool ?? null, code: told.code!, message: told.message!, action: told.action! }
        : null;
    const now: Step = {
      step: told.step!,
      name: told.name ?? before?.name ?? told.step!,
      kind: told.kind ?? before?.kind ?? null,
      status,
      started_at: before?.started_at ?? "",
      ms: told.ms ?? null,
      attempts: told.attempts ?? 1,
      inputs: told.inputs ?? before?.inputs ?? null,
      output: told.output ?? null,
      prints: told.prints ?? null,
      to: told.to ?? null,
      reason: told.reason ?? null,
      error,
    };
    this.steps = before ? this.steps.map((one) => (one === before ? now : one)) : [...this.steps, now];
  }
}

/** A session as a child plays it: one thing on the screen at a time. */
import {
  freshId,
  get,
  post,
  Refusal,
  type Safety,
  type SessionView,
  type Summary,
  type Task,
  type Turn,
} from "../lib/api";
import { Clock } from "../lib/clock";
import { draftOf, drop, keep, type Letter, waitingLetters } from "../lib/kept";
import { deliver, pause } from "../lib/outbox";
import { hold, type Release } from "../lib/turn_taking";

export type Input = "tap" | "typed" | "voice" | "widget";
export type Screen = "opening" | "greeting" | "task" | "words" | "closing" | "elsewhere" | "signed_out";

const HASTY_MS = 800;
const HASTY_TAPS = 3;

export class Play {
  screen = $state<Screen>("opening");
  task = $state<Task | null>(null);
  /** What the child has typed into the slot. */
  typed = $state("");
  carries = $state<string[]>([]);
  /** The words on the card, and those that stand beside the task. */
  lines = $state<string[]>([]);
  beside = $state<string[]>([]);
  safety = $state<Safety | null>(null);
  summary = $state<Summary | null>(null);
  stones = $state({ done: 0, of: 15 });
  phase = $state<SessionView["phase"]>("normal");
  /** The service cannot be reached. */
  away = $state(false);
  /** An answer is on its way. */
  sending = $state(false);
  /** The child writes numbers, and is shown no choices. */
  writes = $state(sessionStorage.getItem("writes") === "yes");
  clock = new Clock();

  private sessionId = "";
  private next: Task | null = null;
  private nextBeside: string[] = [];
  private hasty = 0;
  private release: Release | null = null;

  constructor(private readonly studentId: string) {}

  async open({ steal = false } = {}): Promise<void> {
    const { view, isNew } = await this.patiently(() => this.begin());
    this.sessionId = view.session_id;
    this.release = await hold(view.session_id, steal, () => {
      this.screen = "elsewhere";
    });
    if (!this.release) {
      this.screen = "elsewhere";
      return;
    }
    for (const letter of await waitingLetters(view.session_id)) {
      const { task_id, answer } = letter.body;
      if (view.task?.task_id === task_id) this.task = view.task;
      this.typed = answer === undefined ? "" : String(answer);
      await this.post(letter.body, letter.request_id);
      if (this.screen !== "opening") return;
    }
    this.phase = view.phase;
    this.count(view.remaining, isNew ? view.remaining : undefined);
    if (isNew && view.words?.length) {
      this.next = view.task;
      this.lines = view.words;
      this.screen = "greeting";
    } else await this.show(view.task, { again: !isNew });
  }

  answer(value: number, event: Event, input: Input): void {
    if (!this.task || this.sending) return;
    const rt = this.clock.since(this.clock.moment(event));
    if (input === "tap") this.hurry(rt);
    void this.post({
      type: "answer_submitted",
      task_id: this.task.task_id,
      answer: value,
      rt_ms: rt,
      input,
      telemetry: this.clock.telemetry(),
    });
    this.typed = String(value);
  }

  /** The child says that it does not know, or has been silent for long. */
  unknown(): void {
    if (!this.task || this.sending) return;
    this.typed = "";
    void this.post({ type: "timeout", task_id: this.task.task_id });
  }

  trained(results: object): void {
    const training = this.task?.training;
    if (!this.task || !training) return;
    void this.post({ type: "training_done", task_id: this.task.task_id, training_id: training.id, results });
  }

  stop(): void {
    void this.post({ type: "stop" });
  }

  /** The child has read the words. */
  async go(): Promise<void> {
    this.safety = null;
    await this.show(this.next);
  }

  type(digit: string, event: Event): void {
    this.clock.touched(event, { types: true });
    if (this.typed.length < 6) this.typed += digit;
    this.draft();
  }

  erase(event: Event): void {
    this.clock.touched(event);
    if (this.typed) this.clock.corrected();
    this.typed = this.typed.slice(0, -1);
    this.draft();
  }

  /** Sets what stands in the columns, from the ones up. */
  write(typed: string, carries: string[], event: Event): void {
    this.clock.touched(event, { types: true });
    if (typed.length < this.typed.length) this.clock.corrected();
    this.typed = typed;
    this.carries = carries;
    this.draft();
  }

  choosesToWrite(): void {
    this.writes = true;
    sessionStorage.setItem("writes", "yes");
  }

  end(): void {
    this.release?.();
    this.clock.end();
  }

  private async begin(): Promise<{ view: SessionView; isNew: boolean }> {
    const student = encodeURIComponent(this.studentId);
    const { sessions } = await get<{ sessions: { session_id: string; ended_at: string | null }[] }>(
      `/students/${student}/sessions`,
    );
    const open = sessions.find((one) => one.ended_at === null);
    if (open) return { view: await get<SessionView>(`/sessions/${open.session_id}`), isNew: false };
    return {
      view: await post<SessionView>("/sessions", {
        student_id: this.studentId,
        capabilities: { widgets: true },
      }),
      isNew: true,
    };
  }

  /** Tries until the service answers; a refusal that will not pass is thrown. */
  private async patiently<T>(work: () => Promise<T>): Promise<T> {
    for (let tries = 0; ; tries++) {
      try {
        const found = await work();
        this.away = false;
        return found;
      } catch (error) {
        if (error instanceof Refusal && !error.passing) {
          if (error.status === 401) this.screen = "signed_out";
          throw error;
        }
        this.away = true;
        await pause(tries, error instanceof Refusal ? error.retryAfter : null);
      }
    }
  }

  private async post(body: Letter["body"], requestId = freshId()): Promise<void> {
    this.sending = true;
    const letter = {
      request_id: requestId,
      session_id: this.sessionId,
      body: { ...body, request_id: requestId },
    };
    const outcome = await deliver(letter, (is) => {
      this.away = is;
    });
    this.sending = false;
    if (outcome.is === "signed_out") this.screen = "signed_out";
    else if (outcome.is === "stale") await this.show(outcome.task, { again: true });
    else if (outcome.is === "refused") {
      const view = await this.patiently(() => get<SessionView>(`/sessions/${this.sessionId}`));
      await this.show(view.task, { again: true });
    } else if ("safety" in outcome.answer && outcome.answer.safety) {
      this.safety = outcome.answer.safety;
      this.next = this.task;
      this.screen = "words";
    } else this.hear(outcome.answer as Turn);
  }

  private hear(turn: Turn): void {
    void drop("drafts", this.sessionId);
    this.next = turn.task;
    this.phase = turn.phase;
    this.summary = turn.summary;
    this.lines = turn.feedback.feedback_text;
    this.nextBeside = turn.feedback.hint_text ? [turn.feedback.hint_text] : [];
    if (turn.summary) {
      this.lines = turn.summary.words;
      this.screen = "closing";
    } else if (this.lines.length) this.screen = "words";
    else void this.show(turn.task);
  }

  private async show(task: Task | null, { again = false } = {}): Promise<void> {
    if (!task) {
      this.screen = "closing";
      return;
    }
    const draft = await draftOf(this.sessionId);
    const same = draft?.task_id === task.task_id;
    this.clock.end();
    this.clock = new Clock();
    if (again) this.clock.wasReloaded();
    this.task = task;
    this.typed = same ? draft.typed : "";
    this.carries = same ? [...draft.carries] : [];
    this.beside = this.nextBeside;
    this.nextBeside = [];
    this.screen = "task";
  }

  private draft(): void {
    if (!this.task) return;
    const { task_id } = this.task;
    void keep("drafts", {
      session_id: this.sessionId,
      task_id,
      typed: this.typed,
      carries: [...this.carries],
    });
  }

  private hurry(rt: number): void {
    this.hasty = rt < HASTY_MS ? this.hasty + 1 : 0;
    if (this.hasty >= HASTY_TAPS) this.writes = true;
  }

  private count(remaining: number, of = 15): void {
    this.stones = { done: Math.max(0, of - remaining), of };
  }
}

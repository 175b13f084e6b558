/** A session as a child plays it: one thing on the screen at a time. */
import {
  call,
  freshId,
  get,
  type Refusal,
  type Safety,
  type SessionView,
  type Summary,
  type Task,
  type Turn,
} from "../lib/api";
import { Clock } from "../lib/clock";
import { draftOf, drop, keep, type Letter, waitingLetters } from "../lib/kept";
import { deliver, patiently } from "../lib/outbox";
import { speech } from "../lib/speech.svelte";
import { tone } from "../lib/tone";
import { hold, type Release } from "../lib/turn_taking";
import { Sheet } from "./sheet.svelte";

export type Input = "tap" | "typed" | "voice" | "widget";
export type Screen =
  | "opening"
  | "greeting"
  | "task"
  | "words"
  | "how"
  | "closing"
  | "elsewhere"
  | "refused"
  | "signed_out";
export type Strategy = "fingers" | "made_ten" | "knew" | "drew";

/** The phases that only look at what a child knows; nor is the answer marked that leads to a probe. */
const UNMARKED: ReadonlySet<SessionView["phase"]> = new Set(["screening", "placement", "probe"]);
const HASTY_MS = 800;
const HASTY_TAPS = 3;
/** How often a child is asked in a session how it found an answer. */
const ASKED_HOW = 2;

/** Whether the last session of a child is still open. */
export async function hasOpenSession(studentId: string): Promise<boolean> {
  const path = `/students/${encodeURIComponent(studentId)}/sessions?limit=1`;
  const { sessions } = await get<{ sessions: { ended_at: string | null }[] }>(path);
  return sessions[0]?.ended_at === null;
}

export class Play {
  screen = $state<Screen>("opening");
  task = $state<Task | null>(null);
  /** A problem that was solved together with this answer. */
  solution = $state<Turn["solution"]>(null);
  /** The words on the card. */
  lines = $state<string[]>([]);
  safety = $state<Safety | null>(null);
  summary = $state<Summary | null>(null);
  stones = $state({ done: 0, of: 15 });
  phase = $state<SessionView["phase"]>("normal");
  /** Of what was answered last nothing is marked, so that no equation may stand there as if it were true. */
  unmarked = $state(false);
  /** The service cannot be reached. */
  away = $state(false);
  /** An answer is on its way. */
  sending = $state(false);
  /** The child writes numbers, and is shown no choices. */
  writes = $state(sessionStorage.getItem("writes") === "yes");
  private tutor = $state<string[]>([]);
  /** The words that stand beside the task: the tutor's, and its own about choices, which who writes does not need. */
  readonly beside = $derived([
    ...this.tutor,
    ...((this.writes && this.task?.choices.length ? null : this.task?.words) ?? []),
  ]);
  clock = new Clock();
  sheet = $state.raw(new Sheet(this.clock, () => {}));

  private sessionId = "";
  private next: Task | null = null;
  /** The task that is about to be shown. */
  private coming: Task | null = null;
  private nextBeside: string[] = [];
  private hasty = 0;
  /** The task whose answer was right and slow: the child is asked how it found it. */
  private wondered: string | null = null;
  private release: Release | null = null;

  constructor(private readonly studentId: string) {}

  /** The session that is open, if there is one: none is begun. -> whether there is. */
  async reopen(): Promise<boolean> {
    const open = await this.patiently(() => hasOpenSession(this.studentId));
    if (open) await this.open();
    return open !== false;
  }

  async open({ steal = false } = {}): Promise<void> {
    const begun = await this.patiently(() => this.begin());
    if (!begun) return;
    const { view, isNew } = begun;
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
      this.sheet.typed = answer === undefined ? "" : String(answer);
      await this.post(letter.body, letter.request_id);
      if (this.screen !== "opening") return;
    }
    this.phase = view.phase;
    this.stones = view.stones ?? this.stones;
    if (isNew && view.words?.length) {
      this.next = view.task;
      this.lines = view.words;
      this.screen = "greeting";
    } else await this.show(view.task, { again: !isNew });
  }

  answer(value: number, event: Event, input: Input): void {
    if (!this.task || this.sending) return;
    const { found } = this.sheet;
    const rt = this.clock.since(this.clock.moment(event));
    if (input === "tap") this.hurry(rt);
    void this.post({
      type: "answer_submitted",
      task_id: this.task.task_id,
      answer: value,
      rt_ms: rt,
      input,
      telemetry: this.clock.telemetry(),
      ...(found.some(Boolean) ? { steps: found.map((one) => (one ? Number(one) : null)) } : {}),
    });
    this.sheet.typed = String(value);
  }

  /** The child says that it does not know. */
  unknown(): void {
    this.timeOut({ said: true });
  }

  /** The child has been silent for long. */
  silent(): void {
    this.timeOut({});
  }

  private timeOut(how: { said?: true }): void {
    if (!this.task || this.sending) return;
    this.sheet.typed = "";
    void this.post({ type: "timeout", task_id: this.task.task_id, ...how });
  }

  trained(results: object): void {
    const training = this.task?.training;
    if (!this.task || !training || this.sending) return;
    void this.post({ type: "training_done", task_id: this.task.task_id, training_id: training.id, results });
  }

  stop(): void {
    void this.post({ type: "stop" });
  }

  /** The child has read the words. */
  async go(): Promise<void> {
    this.safety = null;
    if (this.wondered && this.screen === "words") this.screen = "how";
    else await this.show(this.next);
  }

  /** What the child tells of how it found the answer; null where it would rather not. */
  async tell(how: Strategy | null): Promise<void> {
    const task_id = this.wondered;
    if (!task_id) return;
    this.wondered = null;
    if (how) {
      const request_id = freshId();
      const body = { type: "strategy_told", request_id, task_id, how };
      void deliver({ request_id, session_id: this.sessionId, body }, () => {});
    }
    await this.show(this.next);
  }

  choosesToWrite(): void {
    this.writes = true;
    sessionStorage.setItem("writes", "yes");
  }

  end(): void {
    this.release?.();
    this.clock.end();
  }

  /** The open session of the child, else a new one. */
  private async begin(): Promise<{ view: SessionView; isNew: boolean }> {
    const wanted = {
      student_id: this.studentId,
      resume: true,
      capabilities: { widgets: true, presentation: true, speech: speech.voice !== null },
    };
    const { status, body } = await call<SessionView>("POST", "/sessions", wanted);
    return { view: body, isNew: status === 201 };
  }

  /** What the service answers in the end; null where it refuses for good, which the screen says then. */
  private async patiently<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      return await patiently(work, this.goAway);
    } catch (error) {
      this.screen = (error as Refusal).status === 401 ? "signed_out" : "refused";
      return null;
    }
  }

  private readonly goAway = (is: boolean): void => {
    this.away = is;
  };

  private async post(body: Letter["body"], requestId = freshId()): Promise<void> {
    this.sending = true;
    const letter = {
      request_id: requestId,
      session_id: this.sessionId,
      body: { ...body, request_id: requestId },
    };
    const outcome = await deliver(letter, this.goAway);
    this.sending = false;
    if (outcome.is === "signed_out") this.screen = "signed_out";
    else if (outcome.is === "stale") await this.show(outcome.task, { again: true });
    else if (outcome.is === "refused" && outcome.status === 403) this.screen = "refused";
    else if (outcome.is === "refused") {
      const view = await this.patiently(() => get<SessionView>(`/sessions/${this.sessionId}`));
      if (view) await this.show(view.task, { again: true });
    } else if ("safety" in outcome.answer && outcome.answer.safety) {
      this.safety = outcome.answer.safety;
      this.next = this.task;
      this.screen = "words";
    } else if ("feedback" in outcome.answer) this.take(outcome.answer);
  }

  private take(turn: Turn): void {
    void drop("drafts", this.sessionId);
    // Where a probe is answered nothing is marked, so that nothing sounds wrong either.
    if (turn.correct && this.task?.kind !== "probe") tone();
    this.next = turn.task;
    this.unmarked = UNMARKED.has(this.phase) || turn.phase === "probe" || this.task?.kind === "probe";
    this.phase = turn.phase;
    this.summary = turn.summary;
    this.solution = turn.solution;
    this.stones = turn.stones ?? this.stones;
    const { feedback_text, lines = null } = turn.feedback;
    const marked = lines ?? feedback_text.map((text) => ({ text, about: "answer" }));
    const said = (about: "answer" | "next") =>
      marked.filter((line) => line.about === about).map((line) => line.text);
    this.lines = said("answer");
    this.wonder(turn);
    this.nextBeside = [...said("next"), ...(turn.feedback.hint_text ? [turn.feedback.hint_text] : [])];
    if (turn.summary) {
      this.lines = turn.summary.words;
      this.screen = "closing";
    } else if (this.lines.length) this.screen = "words";
    else void this.show(turn.task);
  }

  private wonder(turn: Turn): void {
    const kept = `how:${this.sessionId}`;
    const asked = Number(sessionStorage.getItem(kept) ?? 0);
    const adds = this.task?.problem?.op === "+" || this.task?.problem?.op === "-";
    const slow = turn.correct && turn.feedback.situation === "correct_slow" && this.task?.kind === "problem";
    if (!slow || !adds || asked >= ASKED_HOW) return;
    sessionStorage.setItem(kept, String(asked + 1));
    this.wondered = this.task!.task_id;
  }

  private async show(task: Task | null, { again = false } = {}): Promise<void> {
    if (!task) {
      this.screen = "closing";
      return;
    }
    // A child that taps twice means the same task: shown again, it would have lost its words and its time.
    if (this.coming === task) return;
    this.coming = task;
    const draft = await draftOf(this.sessionId);
    this.coming = null;
    const same = draft?.task_id === task.task_id;
    this.clock.end();
    this.clock = new Clock();
    if (again) this.clock.wasReloaded();
    this.task = task;
    if (this.hasty >= HASTY_TAPS) this.writes = true;
    const steps = task.kind === "worked_example" ? 0 : (task.presentation.steps?.length ?? 0);
    this.sheet = new Sheet(this.clock, (sheet) => this.draft(sheet), { ...(same ? draft : {}), steps });
    this.wondered = null;
    this.tutor = this.nextBeside;
    this.nextBeside = [];
    this.screen = "task";
  }

  private draft({ typed, carries }: Sheet): void {
    if (!this.task) return;
    const { task_id } = this.task;
    void keep("drafts", { session_id: this.sessionId, task_id, typed, carries: [...carries] });
  }

  private hurry(rt: number): void {
    this.hasty = rt < HASTY_MS ? this.hasty + 1 : 0;
  }
}

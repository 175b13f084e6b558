/** One conversation: what was said, and the answer that is on its way. It outlives a reload: the service keeps it. */
import type { components } from "../api";
import { freshId, get, post, Refusal, send } from "../lib/api";
import { follow } from "../lib/stream";

export type Schemas = components["schemas"];
export type Profile = Schemas["OwnThread"]["profile"];
export type Chart = Schemas["Chart"];
type Thread = Schemas["ChatThread"];
type Message = Schemas["ChatMessage"];
type Event =
  | Schemas["ChatTokenEvent"]
  | Schemas["ChatSafetyEvent"]
  | Schemas["WhoReadsEvent"]
  | Schemas["IntentEvent"]
  | Schemas["ThinkingEvent"]
  | Schemas["StepStartEvent"]
  | Schemas["StepResultEvent"]
  | Schemas["FallbackEvent"]
  | Schemas["ChartEvent"]
  | Schemas["ChatErrorEvent"]
  | Schemas["ChatFinalEvent"];

/** A tool that was called. `result` is null while it works; `instead`: the tool that took its place. */
export interface Step {
  tool: string;
  asked: Record<string, unknown>;
  result: Record<string, unknown> | null;
  failed: boolean;
  instead: string;
  leftOut: number;
}

/** `levels`: of an answer in several depths, the easiest first; its `text` is then empty. `notes`: sentences to show. */
export interface Said {
  mine: boolean;
  text: string;
  levels: [string, string][];
  steps: Step[];
  chart: Chart | null;
  notes: string[];
  thinking: string;
  safety: boolean;
  run: string;
}

export interface Wanted {
  profile: Profile;
  student: string;
  difficulty: string;
}

const LEFT = "left";

function said(mine: boolean, text = "", run = ""): Said {
  return { mine, text, levels: [], steps: [], chart: null, notes: [], thinking: "", safety: false, run };
}

function kept(message: Message): Said {
  const found = said(message.role === "user", message.text, message.run_id);
  const detail = message.detail;
  if (!detail || found.mine) return found;
  found.levels = Object.entries(detail.final_answers ?? {});
  if (found.levels.length) found.text = "";
  const steps = detail.steps ?? [];
  found.steps = steps.length
    ? steps.map(({ tool, arguments: asked, result, error, left_out }) => ({
        tool,
        asked,
        result,
        failed: error !== null,
        instead: "",
        leftOut: left_out ?? 0,
      }))
    : (detail.tool_pipeline ?? []).map((tool) => ({
        tool,
        asked: {},
        result: {},
        failed: false,
        instead: "",
        leftOut: 0,
      }));
  found.chart = detail.chart ?? null;
  found.safety = Boolean(detail.safety);
  return found;
}

export class Conversation {
  readonly id: string;
  said = $state<Said[]>([]);
  /** How many of the first messages are not there. */
  missing = $state(0);
  profile = $state<Profile>("assistant");
  student = $state("");
  whoReads = $state("");
  /** An answer is on its way. */
  busy = $state(false);
  away = $state(false);
  /** Of what cannot be done: "gone", "refused", or why the last message was not sent. */
  trouble = $state<unknown>(null);
  /** How many turns the service has recorded, as far as is known here. */
  private turns = 0;
  private run: string | null = null;
  private left = false;
  private stops = false;

  constructor(thread: string | null) {
    this.id = thread ?? freshId();
  }

  /** Nobody looks any more: what is on its way goes on at the service, and is there at the next look. */
  leave(): void {
    this.left = true;
  }

  /** What was said so far, and the answer that is under way. */
  async look(): Promise<void> {
    try {
      const found = await get<Thread>(`/chat/${this.id}`);
      this.show(found);
      if (found.run_id) {
        this.said.push(said(false));
        await this.hear((last) => this.events(found.run_id!, last));
      }
    } catch (error) {
      this.trouble = error;
    }
  }

  async say(message: string, wanted: Wanted): Promise<void> {
    this.profile = wanted.profile;
    this.student = wanted.student;
    this.said.push(said(true, message), said(false));
    const body = {
      message,
      thread_id: this.id,
      profile: wanted.profile,
      resumable: true,
      ...(wanted.student ? { student_id: wanted.student } : {}),
      ...(wanted.profile === "assistant" ? { difficulty: wanted.difficulty } : {}),
    };
    let tried = false;
    await this.hear(async (last) => {
      if (this.run) return this.events(this.run, last);
      if (tried) {
        const run = await this.arrived();
        if (run) return this.events(run, null);
      }
      tried = true;
      return this.opened("/chat", body);
    });
  }

  /** The last question is answered once more; the answer before is gone. */
  async again(): Promise<void> {
    this.said[this.said.length - 1] = said(false);
    let tried = false;
    const before = this.turns;
    await this.hear(async (last) => {
      if (this.run) return this.events(this.run, last);
      if (tried) {
        this.turns = before - 1;
        const run = await this.arrived();
        if (run) return this.events(run, null);
      }
      tried = true;
      return this.opened(`/chat/${this.id}/regenerate`, {});
    });
    const trouble = this.trouble;
    if (!trouble || this.run) return;
    await this.look(); // the answer before is still there
    this.trouble = trouble;
  }

  /** Ends the answer; where its run is not known yet, as soon as it is. */
  async stop(): Promise<void> {
    this.stops = true;
    if (this.run) await post(`/chat/runs/${this.run}/cancel`, {});
  }

  async rate(one: Said, score: number): Promise<void> {
    await post(`/chat/runs/${one.run}/rating`, { score });
  }

  private show(found: Thread): void {
    this.profile = found.profile;
    this.student = found.student_id ?? "";
    this.turns = found.turns;
    const whole = found.messages.filter((one) => one.role === "user" || one.run_id !== found.run_id);
    this.said = whole.map(kept);
    this.missing = (whole[0]?.number ?? 1) - 1;
  }

  /** The run of a message whose answer's beginning was lost; null where the message itself was. */
  private async arrived(): Promise<string | null> {
    try {
      const found = await get<Thread>(`/chat/${this.id}`);
      return found.run_id ?? (found.turns > this.turns ? (found.messages.at(-1)?.run_id ?? null) : null);
    } catch (error) {
      if (error instanceof Refusal && error.status === 404) return null;
      throw error;
    }
  }

  private async opened(path: string, body: unknown): Promise<Response> {
    try {
      const answer = await send("POST", path, body);
      this.run = answer.headers.get("X-Run-Id");
      if (this.stops) await this.stop();
      return answer;
    } catch (error) {
      const other = error instanceof Refusal && error.code === "thread_busy" && error.document.run_id;
      if (!other) throw error;
      this.run = other;
      return this.events(other, null);
    }
  }

  private events(run: string, last: string | null): Promise<Response> {
    this.run = run;
    return send("GET", `/chat/runs/${run}/events`, undefined, last ? { "Last-Event-ID": last } : {});
  }

  private async hear(open: (last: string | null) => Promise<Response>): Promise<void> {
    this.busy = true;
    this.trouble = null;
    this.run = null;
    this.stops = false;
    try {
      await follow<Event>({
        open: (last) => {
          if (this.left) throw new Refusal(0, LEFT, null, "", {});
          return open(last);
        },
        event: (event) => this.left || this.take(event),
        away: (is) => {
          this.away = is;
        },
      });
      this.turns++;
    } catch (error) {
      if (!(error instanceof Refusal && error.code === LEFT)) this.refused(error);
    }
    const last = this.said.at(-1);
    if (last && !last.mine) {
      last.thinking = "";
      last.run = this.run ?? "";
    }
    this.busy = false;
    this.away = false;
  }

  /** Takes back what was not sent. */
  private refused(error: unknown): void {
    this.trouble = error;
    if (!this.run) this.said.splice(this.said.at(-2)?.mine ? -2 : -1);
  }

  private take(event: Event): boolean {
    const last = this.said[this.said.length - 1]!;
    switch (event.type) {
      case "who_reads":
        this.whoReads = event.text;
        break;
      case "thinking":
        last.thinking = event.message;
        break;
      case "step_start":
        last.steps.push({
          tool: event.tool,
          asked: event.arguments,
          result: null,
          failed: false,
          instead: "",
          leftOut: 0,
        });
        break;
      case "step_result": {
        const step = last.steps.find((one) => one.tool === event.tool && one.result === null && !one.failed);
        if (step) Object.assign(step, { result: event.result, leftOut: event.left_out ?? 0 });
        break;
      }
      case "fallback": {
        const step = last.steps.findLast((one) => one.tool === event.from);
        if (step) Object.assign(step, { failed: true, instead: event.to });
        last.notes.push(event.message);
        break;
      }
      case "chart_data":
        last.chart = event.chart;
        break;
      case "token":
        this.append(last, event.token, event.level ?? "");
        break;
      case "safety":
        last.safety = true;
        break;
      case "error":
        last.notes.push(event.message);
        break;
      case "final":
        return true;
      default:
    }
    return false;
  }

  private append(last: Said, token: string, level: string): void {
    if (!level) {
      last.text += token;
      return;
    }
    const own = last.levels.find(([name]) => name === level);
    if (own) own[1] += token;
    else last.levels.push([level, token]);
  }
}

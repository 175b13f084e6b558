/** A conversation with the coach. It outlives a reload: the service keeps it. */
import type { components } from "../api";
import { freshId, get, Refusal, type Safety, send } from "../lib/api";
import { follow } from "../lib/stream";

type Schemas = components["schemas"];
const AGAIN_MS = 4_000;
/** Those that a child is shown something of. */
type ChatEvent =
  | Schemas["ChatTokenEvent"]
  | Schemas["ChatSafetyEvent"]
  | Schemas["WhoReadsEvent"]
  | Schemas["ChatFinalEvent"];

export interface Said {
  text: string;
  mine: boolean;
  safety: Safety | null;
}

export class Talk {
  said = $state<Said[]>([]);
  /** Who can read what is written here. */
  whoReads = $state("");
  /** An answer is on its way. */
  busy = $state(false);
  away = $state(false);
  /** What may be answered with a tap. */
  choices = $state<string[]>([]);
  private thread: string;
  /** The answer that is on its way, once it is known. */
  private run: string | null = null;
  private stops = false;
  private readonly kept: string;

  constructor(studentId: string) {
    this.kept = `talk:${studentId}`;
    this.thread = sessionStorage.getItem(this.kept) ?? freshId();
  }

  /** What was said before a reload, and the answer that was under way; asked again until the service is there. */
  async look(): Promise<void> {
    if (!sessionStorage.getItem(this.kept)) return;
    this.busy = true;
    try {
      const found = await get<Schemas["ChatThread"]>(`/chat/${this.thread}`);
      const messages = found.messages.filter((one) => one.role === "user" || one.run_id !== found.run_id);
      this.away = false;
      this.said = messages.map(shown);
      this.choices = this.said.at(-1)?.safety?.choices ?? [];
      if (found.run_id) return await this.hear(found.run_id);
    } catch (error) {
      if (!(error instanceof Refusal) || error.passing) {
        this.away = true;
        setTimeout(() => void this.look(), AGAIN_MS);
        return;
      }
    }
    this.busy = false;
  }

  async say(message: string): Promise<void> {
    if (this.busy) return;
    this.choices = [];
    this.said.push({ text: message, mine: true, safety: null });
    await this.hear(null, message);
  }

  /** Ends the answer; one that is not known yet, as soon as it is. */
  stop(): void {
    this.stops = true;
    if (this.run) void send("POST", `/chat/runs/${this.run}/cancel`).catch(() => {});
  }

  /** Leaves what was said, and begins anew. */
  begin(): void {
    this.thread = freshId();
    this.said = [];
    this.choices = [];
    this.whoReads = "";
    sessionStorage.removeItem(this.kept);
  }

  /** Hears a turn that is under way, or begins one. */
  private async hear(under: string | null, message?: string): Promise<void> {
    this.busy = true;
    this.run = under;
    this.stops = false;
    this.said.push({ text: "", mine: false, safety: null });
    try {
      await follow<ChatEvent>({
        open: async (last) => {
          if (this.run) return this.again(this.run, last);
          const body = { message, thread_id: this.thread, profile: "coach", resumable: true };
          sessionStorage.setItem(this.kept, this.thread);
          try {
            const answer = await send("POST", "/chat", body);
            this.run = answer.headers.get("X-Run-Id");
            if (this.stops) this.stop();
            return answer;
          } catch (error) {
            // The message had arrived, its answer had not.
            this.run = error instanceof Refusal ? (error.document.run_id ?? null) : null;
            if (!this.run) throw error;
            return this.again(this.run, null);
          }
        },
        event: (event) => this.take(event),
        away: (is) => {
          this.away = is;
        },
      });
    } catch {
      this.last.text ||= "지금은 이야기할 수 없어. 선생님을 불러 줘.";
    }
    this.last.text ||= this.stops ? "그만할게. 또 물어봐도 돼." : "잘 못 들었어. 다시 말해 줄래?";
    this.busy = false;
  }

  private again(run: string, last: string | null): Promise<Response> {
    return send("GET", `/chat/runs/${run}/events`, undefined, last ? { "Last-Event-ID": last } : {});
  }

  private get last(): Said {
    return this.said[this.said.length - 1]!;
  }

  /** Charts are for children that read them well, and for adults: none here. */
  private take(event: ChatEvent): boolean {
    if (event.type === "token") this.last.text += event.token;
    else if (event.type === "who_reads") this.whoReads = event.text;
    else if (event.type === "safety") {
      this.last.safety = event;
      this.choices = event.choices ?? [];
    }
    return event.type === "final";
  }
}

/** A message as it was recorded. Of earlier records no numbers are kept. */
function shown({ role, text, detail }: Schemas["ChatMessage"]): Said {
  const mine = role === "user";
  const safety = mine ? null : detail?.safety;
  return {
    text,
    mine,
    safety: safety ? { text: [text], numbers: safety.numbers ?? [], choices: safety.choices ?? null } : null,
  };
}

/** A lesson: what the tutor says, page by page, and one question at a time. The service keeps where it stands. */
import type { components } from "../api";
import { call, freshId, get, Refusal, type Safety, type Skill, send } from "../lib/api";
import { follow } from "../lib/stream";

type Schemas = components["schemas"];
type Picture = Schemas["LessonPicture"];
type Check = Schemas["LessonCheck"];
export type Quiz = Pick<Schemas["Quiz"], "question" | "choices" | "task" | "hints">;
/** Digits of a number that is written as an answer. */
export const LONGEST_NUMBER = 7;
/** No page is read sooner: what comes before is the second tap of a child that taps twice. */
const SECOND_TAP_MS = 400;
type Sent = { message: string } | { answer: string | number } | { hint: true };

/** What the tutor said last, and what it showed with it. */
interface Told {
  text: string;
  picture?: Picture;
  check?: Check;
  quiz?: Schemas["Quiz"];
}

/** Those that a child is shown something of. */
type LessonEvent =
  | Schemas["LessonTokenEvent"]
  | Schemas["LessonSafetyEvent"]
  | Schemas["PictureEvent"]
  | Schemas["CheckEvent"]
  | Schemas["QuizEvent"]
  | Schemas["LessonErrorEvent"]
  | Schemas["LessonFinalEvent"];

export class LessonRun {
  /** What the tutor says, in parts that are read one at a time. */
  pages = $state.raw<string[]>([]);
  page = $state(0);
  picture = $state.raw<Picture | null>(null);
  /** Behind a piece of the explanation: a small question about it. */
  check = $state.raw<Check | null>(null);
  quiz = $state.raw<Schemas["Quiz"] | null>(null);
  safety = $state<Safety | null>(null);
  whoReads = $state("");
  busy = $state(false);
  away = $state(false);
  closed = $state(false);
  private heard = $state(false);
  private id = "";
  /** When the page was put on the screen, ms. */
  private turned = 0;

  constructor(private readonly studentId: string) {}

  /** What waits for an answer, as a question. */
  readonly asked = $derived.by((): Quiz | null => (this.check ? asQuiz(this.check) : this.quiz));
  /** The words of a turn are read before its small question is put. */
  readonly reads = $derived.by(() => this.check !== null && this.pages.length > 0 && !this.heard);
  /** The task is done, and the child may say in its own words why. */
  readonly explains = $derived(this.quiz?.step === "explain");

  /** The lesson that is open, else one of the level at which the child works. */
  async open(): Promise<void> {
    const id = encodeURIComponent(this.studentId);
    const { skills, next } = await get<Schemas["StudentKnowledge"]>(`/students/${id}/knowledge`);
    const level = (skills as Skill[]).find((one) => one.skill_id === next[0])?.c_level || 1;
    const wanted = { user_id: this.studentId, user_type: "beginner", chapter: level, resume: true };
    const { lesson_id, state, who_reads } = (await call<Schemas["Lesson"]>("POST", "/lessons", wanted)).body;
    this.id = lesson_id;
    const all = state.current_session_conversations.filter((one) => one.message_type !== "tool");
    if (all.every((one) => one.message_type !== "user")) this.whoReads = who_reads;
    const last = all.at(-1);
    this.safety = last?.safety
      ? { text: last.message.split("\n"), numbers: (last.safety.numbers as Safety["numbers"]) ?? [] }
      : null;
    // Words about danger are an aside: what was said before them is still to be read.
    const said = all.filter((one) => !one.safety);
    const own = said.findLastIndex((one) => one.message_type === "user");
    const text = said.slice(own + 1).map((one) => one.message);
    const shown = said.map((one) => one.shown as Omit<Told, "text"> | undefined);
    const beside = shown.findLast(Boolean);
    const quiz = shown.findLast((one) => one?.quiz)?.quiz;
    this.show({ ...beside, quiz, text: text.join("\n\n") }, state.ui_mode === "quiz");
  }

  /** The next page, or the question behind it; after the last one the lesson goes on. */
  async next(): Promise<void> {
    if (performance.now() - this.turned < SECOND_TAP_MS) return;
    this.turned = performance.now();
    if (this.reads) this.heard = true;
    else if (this.page + 1 < this.pages.length) this.page += 1;
    else await this.send({ message: "다음" });
  }

  async send(sent: Sent): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    this.whoReads = "";
    const told: Told = { text: "" };
    let safety: Safety | null = null;
    const path = `/lessons/${this.id}/messages`;
    const body = { ...sent, request_id: freshId() };
    try {
      await follow<LessonEvent>({
        open: (last) => send("POST", path, body, last ? { "Last-Event-ID": last } : {}),
        event: (event) => {
          if (event.type === "token") told.text += event.text;
          else if (event.type === "picture") told.picture = event.picture;
          else if (event.type === "check") told.check = event.check;
          else if (event.type === "quiz") told.quiz = event.quiz;
          else if (event.type === "safety") safety = event;
          else if (event.type === "error") throw new TypeError(event.code);
          else if (event.type === "final") {
            this.safety = safety;
            // Words about danger are an aside: what was asked before waits.
            if (!safety) this.show(told, event.state.ui_mode === "quiz");
          }
          return event.type === "final";
        },
        away: (is) => {
          this.away = is;
        },
      });
    } catch (error) {
      if (error instanceof Refusal && error.code === "lesson_state") this.closed = true;
      else {
        const waiting = { check: this.check ?? undefined, picture: this.picture ?? undefined };
        this.show({ ...waiting, text: "지금은 안 되네. 선생님을 불러 줘." }, this.quiz !== null);
      }
    }
    this.busy = false;
  }

  private show(told: Told, quiz: boolean): void {
    // A hint, or the answer to a question of the child's, leaves the open question where it is.
    this.quiz = quiz ? (told.quiz ?? this.quiz) : null;
    this.check = quiz ? null : (told.check ?? null);
    this.picture = told.picture ?? null;
    const words = partsOf(told.text, this.asked?.question);
    this.pages = this.asked ? [words.join("\n")].filter(Boolean) : words;
    this.page = 0;
    this.heard = false;
    this.turned = performance.now();
  }
}

/** The parts of a text, without the one that asks `question`, which is shown as a question. */
function partsOf(text: string, question?: string): string[] {
  const parts = text.split(/\n\s*\n/).filter((one) => one.trim());
  const asks = question ? parts.findIndex((one) => one.includes(question)) : -1;
  return asks < 0 ? parts : parts.slice(0, asks);
}

function asQuiz({ ask, choices }: Check): Quiz {
  const numbered = choices?.map((text, index) => ({ number: index + 1, text })) ?? null;
  return { question: ask, choices: numbered, task: numbered ? null : { form: "number" }, hints: 0 };
}

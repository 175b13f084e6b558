/** The text that an author writes, and what the service says of it while it is written. */
import type { components } from "../api";
import { post, Refusal, send } from "../lib/api";

type Schemas = components["schemas"];
export type Inspection = Schemas["FlowInspection"];
export type Mark = Schemas["MarkedFault"];
export type Drawing = Schemas["Drawing"];
export type FlowFile = Schemas["FlowFile"];

/** Characters that a flow may have. */
export const LONGEST = 60_000;

/** What another author has saved in the meantime. */
export interface Current {
  text: string;
  hash: string;
}

export class Draft {
  file = $state("");
  text = $state("");
  /** The text that is saved, null where the flow is new. */
  saved = $state<string | null>(null);
  inputs = $state.raw<Record<string, unknown>>({});
  inspection = $state.raw<Inspection | null>(null);
  /** The last picture of a text without faults. */
  drawing = $state.raw<Drawing | null>(null);
  names = $state.raw<Inspection["names"]>([]);
  flow = $state.raw<Inspection["flow"]>(null);
  /** The text that was inspected last. */
  inspected = $state("");
  away = $state(false);
  readonly dirty = $derived(this.text !== (this.saved ?? ""));
  readonly tooLong = $derived(this.text.length > LONGEST);
  readonly errors = $derived(this.inspection?.marks.filter((mark) => mark.severity === "error") ?? []);
  #hash: string | null = null;
  #asking = false;
  #again = false;

  open(file: string, text: string, hash: string | null): void {
    this.file = file;
    this.text = text;
    this.saved = hash === null ? null : text;
    this.#hash = hash;
    this.inspection = this.drawing = this.flow = null;
    this.names = [];
    this.inputs = {};
    void this.inspect();
  }

  /** What is saved by now is the ground of the author's text. */
  rebase(current: Current, text: string): void {
    this.saved = current.text;
    this.#hash = current.hash;
    this.write(text);
  }

  write(text: string): void {
    this.text = text;
    void this.inspect();
  }

  /** One question at a time: what was written meanwhile is asked next. */
  async inspect(): Promise<void> {
    this.#again = true;
    if (this.#asking) return;
    this.#asking = true;
    while (this.#again) {
      this.#again = false;
      const text = this.text;
      if (text.length > LONGEST) continue;
      try {
        const found = await post<Inspection>("/flows/inspect", { text, inputs: this.inputs });
        this.away = false;
        this.inspection = found;
        this.inspected = text;
        if (found.drawing) {
          this.drawing = found.drawing;
          this.names = found.names;
          this.flow = found.flow;
        }
      } catch (error) {
        this.away = !(error instanceof Refusal) || error.passing;
      }
    }
    this.#asking = false;
  }

  /** Null where it is saved, else what another author has saved; null in turn where it was deleted. Throws `Refusal`. */
  async save(): Promise<{ current: Current | null } | null> {
    const text = this.text;
    try {
      const answer = await send("PUT", `/flows/${encodeURIComponent(this.file)}`, { text, hash: this.#hash });
      const file: FlowFile = await answer.json();
      this.#hash = file.hash;
      this.saved = text;
      return null;
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== "flow_changed") throw error;
      return { current: (error.document as { current?: Current | null }).current ?? null };
    }
  }

  /** Another author has deleted the flow: this text is saved as a new one. */
  renew(): void {
    this.#hash = this.saved = null;
  }
}

/** How long a child thinks: from the second frame after the task was shown to the `timeStamp` of the answering event,
 * which the browser takes when the finger comes down, however busy the page is. */
import type { components } from "../api";

export type Telemetry = components["schemas"]["Telemetry"];
type Device = "touch" | "mouse" | "keyboard";
type Help = "read_aloud" | "aid";

const LONGEST_PRESS_MS = 10_000;

export class Clock {
  private onset = Number.NaN;
  private first: number | null = null;
  private edits = 0;
  private losses = 0;
  private hidden = 0;
  private hiddenSince: number | null = null;
  private helped = new Set<Help>();
  private reloaded = false;
  private device: Device | null = null;
  private down: Event | null = null;
  private readonly zoom = globalThis.visualViewport?.scale ?? 1;

  constructor(
    private readonly page: Pick<Document, "hidden" | "addEventListener" | "removeEventListener"> = document,
  ) {
    page.addEventListener("visibilitychange", this.seen);
    globalThis.addEventListener?.("blur", this.lost);
    page.addEventListener("pointerdown", this.pressed, true);
    page.addEventListener("keydown", this.pressed, true);
  }

  /** Call when the task stands in the page. */
  start(): Promise<void> {
    return new Promise((resolve) => {
      requestAnimationFrame(() =>
        requestAnimationFrame((time) => {
          this.onset = time;
          if (this.page.hidden) this.hiddenSince = time;
          resolve();
        }),
      );
    });
  }

  end(): void {
    this.page.removeEventListener("visibilitychange", this.seen);
    globalThis.removeEventListener?.("blur", this.lost);
    this.page.removeEventListener("pointerdown", this.pressed, true);
    this.page.removeEventListener("keydown", this.pressed, true);
  }

  /** When the finger or key of a click came down; the click itself where nothing did. */
  moment(event: Event): number {
    const { down } = this;
    this.down = null;
    return down && event.timeStamp - down.timeStamp < LONGEST_PRESS_MS ? down.timeStamp : event.timeStamp;
  }

  /** A finger, key or pointer came down; `types` where it put a digit. */
  touched(event: Event, { types = false } = {}): void {
    this.device = deviceOf(event) ?? this.device;
    if (types) this.first ??= event.timeStamp;
  }

  corrected(): void {
    this.edits += 1;
  }

  help(how: Help): void {
    this.helped.add(how);
  }

  wasReloaded(): void {
    this.reloaded = true;
  }

  /** Milliseconds from the onset to `timeStamp`; 0 where the task was not yet seen. */
  since(timeStamp: number): number {
    return Number.isNaN(this.onset) ? 0 : Math.max(0, Math.round(timeStamp - this.onset));
  }

  telemetry(): Telemetry {
    const away = this.hidden + (this.hiddenSince === null ? 0 : performance.now() - this.hiddenSince);
    const zoomed = (globalThis.visualViewport?.scale ?? 1) !== this.zoom;
    const disturbed = Number.isNaN(this.onset) || away > 0 || this.reloaded || this.helped.size > 0 || zoomed;
    return {
      edits: this.edits,
      focus_losses: this.losses,
      hidden_ms: Math.round(away),
      reloaded: this.reloaded,
      rt_reliable: !disturbed,
      ...(this.first === null ? {} : { first_input_ms: this.since(this.first) }),
      ...(this.helped.size ? { helped: [...this.helped] } : {}),
      ...(this.device ? { device: this.device } : {}),
    };
  }

  private readonly seen = (): void => {
    const now = performance.now();
    if (this.page.hidden) this.hiddenSince = now;
    else if (this.hiddenSince !== null) {
      this.hidden += now - this.hiddenSince;
      this.hiddenSince = null;
    }
  };

  private readonly pressed = (event: Event): void => {
    this.down = event;
    this.touched(event);
  };

  private readonly lost = (): void => {
    this.losses += 1;
  };
}

function deviceOf(event: Event): Device | null {
  if ("key" in event) return "keyboard";
  if ("pointerType" in event) return event.pointerType === "mouse" ? "mouse" : "touch";
  return null;
}

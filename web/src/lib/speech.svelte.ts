/** Reading aloud with a Korean voice of the device itself, as what is read must not leave it; without one there is no
 * loudspeaker. */
import { spoken } from "./korean";

class Speech {
  voice = $state<SpeechSynthesisVoice | null>(null);
  private reads = false;

  constructor() {
    const synthesis = globalThis.speechSynthesis;
    if (!synthesis) return;
    const look = () => {
      this.voice =
        synthesis
          .getVoices()
          .find((one) => one.localService && one.lang.replace("_", "-").startsWith("ko")) ?? null;
    };
    look();
    synthesis.addEventListener?.("voiceschanged", look);
    // Who taps has heard enough; a loudspeaker that is tapped reads after this.
    for (const what of ["pointerdown", "keydown"]) document.addEventListener(what, this.hush, true);
    document.addEventListener("visibilitychange", this.hush);
    addEventListener("pagehide", this.hush);
  }

  /** `say` turns each line into words. */
  say(lines: readonly string[], say: (line: string) => string = spoken): void {
    if (!this.voice) return;
    speechSynthesis.cancel();
    const words = new SpeechSynthesisUtterance(lines.map(say).join(" "));
    words.voice = this.voice;
    words.lang = "ko-KR";
    words.rate = 0.85;
    speechSynthesis.speak(words);
    this.reads = true;
  }

  readonly hush = (): void => {
    if (this.reads) speechSynthesis.cancel();
    this.reads = false;
  };
}

export const speech = new Speech();

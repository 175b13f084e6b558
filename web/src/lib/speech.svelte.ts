/** Reading aloud with a Korean voice of the device; without one there is no loudspeaker. */
import { spoken } from "./korean";

class Speech {
  voice = $state<SpeechSynthesisVoice | null>(null);

  constructor() {
    const synthesis = globalThis.speechSynthesis;
    if (!synthesis) return;
    const look = () => {
      const korean = synthesis.getVoices().filter((one) => one.lang.replace("_", "-").startsWith("ko"));
      this.voice = korean.find((one) => one.localService) ?? korean[0] ?? null;
    };
    look();
    synthesis.addEventListener?.("voiceschanged", look);
  }

  say(...lines: string[]): void {
    if (!this.voice) return;
    speechSynthesis.cancel();
    const words = new SpeechSynthesisUtterance(lines.map(spoken).join(" "));
    words.voice = this.voice;
    words.lang = "ko-KR";
    words.rate = 0.85;
    speechSynthesis.speak(words);
  }

  hush(): void {
    if (this.voice) speechSynthesis.cancel();
  }
}

export const speech = new Speech();

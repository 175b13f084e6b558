/** Hearing a number with a recogniser of the device itself: a voice never leaves it. Without one there is no microphone. */
import { heardNumber } from "./korean";

interface Heard {
  readonly results: ArrayLike<ArrayLike<{ transcript: string }>>;
}

interface Recogniser {
  lang: string;
  processLocally: boolean;
  maxAlternatives: number;
  onresult: ((event: Heard) => void) | null;
  onerror: (() => void) | null;
  onend: (() => void) | null;
  start(): void;
  stop(): void;
}

interface Recognition {
  new (): Recogniser;
  available?(wanted: typeof WANTED): Promise<string>;
  install?(wanted: typeof WANTED): Promise<boolean>;
}

const WANTED = { langs: ["ko-KR"], processLocally: true };
const GUESSES = 3;

class Hearing {
  /** Whether this device hears Korean by itself, or could after it has fetched what it needs for that. */
  can = $state<"no" | "after_install" | "yes">("no");
  private readonly recognition = (globalThis as { SpeechRecognition?: Recognition }).SpeechRecognition;

  constructor() {
    void this.look();
  }

  /** True where the device hears now. */
  async prepare(): Promise<boolean> {
    if (this.can === "after_install") {
      await this.recognition?.install?.(WANTED).catch(() => false);
      await this.look();
    }
    return this.can === "yes";
  }

  /** Listens once. `heard` gets the number, null where none was understood, exactly once. -> ends the listening */
  listen(heard: (number: number | null) => void): () => void {
    const recogniser = new this.recognition!();
    recogniser.lang = "ko-KR";
    recogniser.processLocally = true;
    recogniser.maxAlternatives = GUESSES;
    let number: number | null = null;
    let over = false;
    const end = () => {
      if (!over) heard(number);
      over = true;
    };
    recogniser.onresult = ({ results }) => {
      const guesses = Array.from(results[0] ?? [], (one) => heardNumber(one.transcript));
      number = guesses.find((one) => one !== null) ?? null;
    };
    recogniser.onerror = end;
    recogniser.onend = end;
    recogniser.start();
    return () => recogniser.stop();
  }

  private async look(): Promise<void> {
    const found = await this.recognition?.available?.(WANTED).catch(() => "unavailable");
    this.can = found === "available" ? "yes" : found === "downloadable" ? "after_install" : "no";
  }
}

export const hearing = new Hearing();

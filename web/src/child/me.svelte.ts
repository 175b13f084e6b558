/** Who plays here. */
import { get, Refusal } from "../lib/api";
import { apply, DEFAULTS, type Prefs, prefs } from "../lib/prefs.svelte";

export interface Person {
  student_id: string;
  nickname: string | null;
  animal: string | null;
}

interface Caller {
  role: string;
  students: Person[];
  prefs?: Partial<Prefs>;
}

class Me {
  /** Null: nobody is signed in; undefined: not known yet. */
  child = $state<Person | null | undefined>(undefined);
  isAdult = $state(false);

  /** Asks the service. Throws where it cannot be reached. */
  async look(): Promise<void> {
    try {
      const caller = await get<Caller>("/me");
      this.isAdult = caller.role !== "student";
      this.child = this.isAdult ? null : (caller.students[0] ?? null);
      Object.assign(prefs, DEFAULTS, caller.prefs ?? {});
      apply(prefs);
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 401) throw error;
      this.child = null;
      this.isAdult = false;
    }
  }

  /** Whether the service has refused for good. Who was signed out sees the tiles. */
  isRefused(error: unknown): boolean {
    if (!(error instanceof Refusal) || error.passing) return false;
    if (error.status === 401) this.child = null;
    return true;
  }

  /** Throws where the service cannot be reached. */
  async leave(): Promise<void> {
    const answer = await fetch("/api/v1/auth/sessions", {
      method: "DELETE",
      headers: { "X-Maththera": "1" },
    });
    if (!answer.ok && answer.status !== 401) throw new TypeError(`still signed in: ${answer.status}`);
    this.child = null;
  }
}

export const me = new Me();

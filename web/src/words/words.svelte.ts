/** The language of the adults' pages: Korean at first, the other one loaded when it is chosen; kept in the browser. */
import { ko, type Words } from "./ko";

const KEPT = "maththera.language";

class Language {
  name = $state<"ko" | "en">("ko");
  /** All texts in this language. */
  says = $state.raw<Words>(ko);

  constructor() {
    if (localStorage.getItem(KEPT) === "en") void this.use("en");
  }

  /** What the service says in both languages, in this one. */
  of(said: { english: string; korean: string }): string {
    return this.name === "ko" ? said.korean : said.english;
  }

  async use(name: "ko" | "en"): Promise<void> {
    this.says = name === "ko" ? ko : (await import("./en")).en;
    this.name = name;
    localStorage.setItem(KEPT, name);
  }
}

export const language = new Language();

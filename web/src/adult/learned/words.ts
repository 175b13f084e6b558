/** The kinds of what the pages of procedures show, and what is wrong with a definition. */
import { language } from "../../words/words.svelte";
import type { Schemas } from "../school";

export type Cluster = Schemas["ReviewCluster"];
export type Learned = Schemas["LearnedProcedure"];
export type Language = Schemas["ProcedureLanguage"];
export type Definition = Learned["definition"];
type Said = typeof language.says.learned;

const SAID: [RegExp, (words: Said, found: string[]) => string][] = [
  [/no such name as (.+)$/, ({ faults }, [name]) => faults.name(name!)],
  [/there is no function (\w+)/, ({ faults }, [name]) => faults.function(name!)],
  [/nothing is `written`/, ({ faults }) => faults.written],
  [
    /it answers (.+) with nothing, not with (\d+)/,
    ({ faults }, [problem, seen]) => faults.silent(problem!, seen!),
  ],
  [
    /it answers (.+) with (-?\d+), not with (\d+)/,
    ({ faults }, [problem, own, seen]) => faults.other(problem!, own!, seen!),
  ],
  [/(.+)=(\d+) is right/, ({ faults }, [problem]) => faults.right(problem!)],
  [/title/, ({ faults }) => faults.title],
  [/nested deeper|parts together|1 to 300/, ({ faults }) => faults.long],
  [/never wrong|gives no wrong/, ({ objections }) => objections.never_wrong],
  [/catalogue gives all/, ({ objections }) => objections.known_already],
  [/formula/, ({ faults }) => faults.formula],
  [/negative|whole|digits/, ({ faults }) => faults.problem],
];

/** What is wrong with a definition, in the words of its writer's language. */
export function explained(message: string): string {
  const words = language.says.learned;
  for (const [pattern, say] of SAID) {
    const found = pattern.exec(message);
    if (found) return say(words, found.slice(1));
  }
  return words.faults.any;
}

export function shownBy(name: string | null): string {
  const { operator, unnamed } = language.says.learned;
  return name === "MATHTHERA_ADMIN_TOKEN" || name === "first start" ? operator : name || unnamed;
}

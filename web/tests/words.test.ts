import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { en as authorEn } from "../src/author/words/en";
import { ko as authorKo } from "../src/author/words/ko";
import { en as adultEn } from "../src/words/en";
import { ko as adultKo } from "../src/words/ko";

const en = { ...adultEn, author: authorEn };
const ko = { ...adultKo, author: authorKo };
const SOURCES = join(import.meta.dirname, "../src");
const FOLDERS = ["adult", "adult/learned", "author", "chat", "guardian", "operator"];
const COMMENTS = /\/\*[\s\S]*?\*\/|<!--[\s\S]*?-->|(?<=^|\s)\/\/.*$/gm;
/** Names that the service and its files bear in every language. */
const NAMES = [".chat.markdown", ".operator.dependencies.redis"];
const LETTER = /\p{L}/u;
const HANGUL = /[가-힣]/;

/** Every key with what it leads to, by its path; a function as the text that it makes. */
function texts(found: object, path = ""): Map<string, string> {
  return new Map(
    Object.entries(found).flatMap(([name, value]): [string, string][] => {
      const own = `${path}.${name}`;
      if (typeof value === "function") return [[own, value("1", "2", "3")]];
      return typeof value === "object" ? [...texts(value, own)] : [[own, value]];
    }),
  );
}

describe("the dictionary", () => {
  it("has the same keys in both languages", () => {
    expect([...texts(en).keys()]).toEqual([...texts(ko).keys()]);
  });

  it("is Korean in Korean, and English in English but for examples of questions", () => {
    const foreign = (own: Map<string, string>, is: (text: string) => boolean) =>
      [...own].filter(([name, text]) => is(text) && !/language$|examples/.test(name)).map(([name]) => name);
    expect(foreign(texts(en), (text) => HANGUL.test(text))).toEqual([]);
    expect(foreign(texts(ko), (text) => !HANGUL.test(text) && LETTER.test(text))).toEqual(NAMES);
  });

  it("says something everywhere", () => {
    const empty = [...texts(ko), ...texts(en)].filter(([, text]) => !text.trim()).map(([name]) => name);
    expect(empty).toEqual([]);
  });

  it("speaks of one and of many", () => {
    const { chat, home, kept, learner, records } = en;
    const counts = [
      ...[chat.turns, chat.foundEntries, chat.leftOut, chat.earlier],
      ...[home.more, home.solved, learner.times, records.mentions],
      (count: number) => kept.read(count, ""),
      (count: number) => records.counts(count, 2),
      (count: number) => records.counts(2, count),
    ];
    for (const says of counts) expect(says(1).replace("1", "2")).not.toBe(says(2));
  });

  it.each(FOLDERS)("holds every text of the pages in %s", (folder) => {
    const pages = readdirSync(join(SOURCES, folder)).filter((name) => /\.(svelte|ts)$/.test(name));
    const bare = (name: string) => readFileSync(join(SOURCES, folder, name), "utf8").replace(COMMENTS, "");
    expect(pages).not.toEqual([]);
    expect(pages.filter((name) => HANGUL.test(bare(name)))).toEqual([]);
  });
});

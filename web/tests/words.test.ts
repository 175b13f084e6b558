import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { en } from "../src/words/en";
import { ko } from "../src/words/ko";

const CHAT = join(import.meta.dirname, "../src/chat");
const HANGUL = /[가-힣]/;

/** Every key with what it leads to, by its path; a function as the text that it makes. */
function texts(found: object, path = ""): Map<string, string> {
  return new Map(
    Object.entries(found).flatMap(([name, value]): [string, string][] => {
      const own = `${path}.${name}`;
      if (typeof value === "function") return [[own, value("1", "2")]];
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
    expect(foreign(texts(ko), (text) => !HANGUL.test(text))).toEqual([".chat.markdown"]);
  });

  it("holds every text of the chat", () => {
    const outside = readdirSync(CHAT).filter((name) => HANGUL.test(readFileSync(join(CHAT, name), "utf8")));
    expect(outside).toEqual([]);
  });
});

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { withParticle } from "../src/lib/particles";
import { ko } from "../src/words/ko";

type Particle = Parameters<typeof withParticle>[1];
const worded = JSON.parse(
  readFileSync(new URL("../../tests/data/particles.json", import.meta.url), "utf8"),
) as Record<Particle, string[]>;
const FORM = /(을|를|은|는|이라고|라고|이라는|라는|이에요|예요|으로|로|이야|야|과|와|이|가)$/;

test.each(
  Object.entries(worded).flatMap(([particle, texts]) =>
    texts.map((text) => [particle as Particle, text] as const),
  ),
)("%s: %s", (particle, text) => expect(withParticle(text.replace(FORM, ""), particle)).toBe(text));

test("a name or a number in a text of the page has the particle of its sound", () => {
  expect(ko.records.type("민수")).toContain("‘민수’를 ");
  expect(ko.records.type("Kim")).toContain("‘Kim’을 ");
  expect(ko.chat.noneFound("사과")).toContain("‘사과’가 ");
  expect(ko.learned.faults.function("mix")).toContain("mix라는 ");
  expect(ko.learned.faults.other("52−38", "26", "24")).toContain("26이라고 답해요. 아이의 답은 24예요.");
});

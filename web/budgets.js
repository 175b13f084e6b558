// Says which part of the built page is larger than it may be, in kB as sent: compressed with gzip, fonts as they are.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const DIST = join(import.meta.dirname, "../maththera/web/dist");
const ASSETS = join(DIST, "assets");
const names = readdirSync(ASSETS);
const size = (suffix, fits) =>
  names
    .filter((name) => name.endsWith(suffix) && fits(name))
    .reduce((sum, name) => sum + statSync(join(ASSETS, name)).size / 1000, 0);
const shell = (page) => readFileSync(join(DIST, page), "utf8");
const child = shell("index.html");
const first = (name) => child.includes(name.replace(/\.gz$/, ""));
const english = (name) => /^Adult-(\w+\.)?en-/.test(name);
const procedures = (name) => name.startsWith("Adult-LearnedPage");
const adult = (name) => name.startsWith("Adult") && !english(name) && !procedures(name);
/** Chunk → those that it cannot do without. */
const needs = (name) =>
  [...readFileSync(join(ASSETS, name), "utf8").matchAll(/(?:from|import)\s*"\.\/([\w.-]+\.js)"/g)].map(
    (found) => found[1],
  );
/** All that is loaded before these parts of the adults' page are seen. */
function loaded(...parts) {
  const page = shell("adult.html");
  const found = new Set();
  const add = (name) => {
    if (found.has(name)) return;
    found.add(name);
    for (const one of needs(name)) add(one);
  };
  for (const name of names) {
    const part = /^Adult-(.+)-[\w-]{8}\.js$/.exec(name)?.[1];
    if (name.endsWith(".js") && (page.includes(name) || parts.includes(part))) add(name);
  }
  return [...found].reduce((sum, name) => sum + statSync(join(ASSETS, `${name}.gz`)).size / 1000, 0);
}
const author = (name) => name.startsWith("Author");
const talks = (name) => /^(Talk|Lesson|stream)/.test(name);

const budgets = [
  ["the child's first script", size(".js.gz", first), 40],
  ["the child's first style", size(".css.gz", first), 8],
  [
    "the widgets",
    size(
      ".js.gz",
      (name) =>
        !first(name) && !adult(name) && !english(name) && !procedures(name) && !author(name) && !talks(name),
    ),
    35,
  ],
  ["talk and lesson", size(".js.gz", talks), 20],
  ["the child's fonts", size(".woff2", (name) => name.startsWith("child")), 85],
  ["all parts of the adults' page", size(".js.gz", adult), 70],
  ["a class, all that comes first", loaded("Alerts", "Teacher"), 50],
  ["a guardian's page, all that comes first", loaded("Guardian"), 50],
  ["the page of procedures", size(".js.gz", procedures), 20],
  ["the English words", size(".js.gz", english), 15],
  ["the authors' page", size(".js.gz", author), 220],
];
const over = budgets.filter(([, found, allowed]) => found > allowed);
if (process.argv.includes("--all"))
  for (const [what, found] of budgets) console.log(`${what}: ${found.toFixed(1)} kB`);
for (const [what, found, allowed] of over) console.error(`${what}: ${found.toFixed(1)} kB of ${allowed}`);
process.exit(over.length ? 1 : 0);

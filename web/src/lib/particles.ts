/** Korean particles, which depend on how the word before them is read. The service has the same in
 * `maththera/korean/particles.py`; both are tested with `tests/data/particles.json`. */
const PARTICLES = {
  을를: ["을", "를"],
  은는: ["은", "는"],
  이가: ["이", "가"],
  과와: ["과", "와"],
  로: ["으로", "로"],
  라고: ["이라고", "라고"],
  라는: ["이라는", "라는"],
  야: ["이야", "야"],
  예요: ["이에요", "예요"],
} as const;

/** Kim 김, Jane 제인, King 킹, Jack 잭, Matt 맷, Baek 백; but Mark 마크, week 위크, check 체크, David 데이비드. */
const WORD = /(?:[lmn]e?|ng|[aiou]ck|(?:(?:^|[^aeiou])[aeiou]|ae|eo|eu|oo(?=k))(?:bb?|c|k|pp?|tt?))$/;

/** The word with its particle: ‘사과’를, 28은, Kim이. Brackets and quotes at its end are not read; what cannot be read
 * takes the form after a vowel. */
export function withParticle(word: string, particle: keyof typeof PARTICLES): string {
  const last = lastConsonant(word.replace(/[)\]」』’”'" ]+$/, ""));
  return word + PARTICLES[particle][last === null || (last === "l" && particle === "로") ? 1 : 0];
}

function lastConsonant(text: string): "l" | "other" | null {
  const place = text.charCodeAt(text.length - 1) - 0xac00;
  if (place >= 0 && place < 11172) return place % 28 === 0 ? null : place % 28 === 8 ? "l" : "other";
  const latin = /(?:^|[^0-9A-Za-z])(?![ckm]m$)([A-Za-z]+)$/.exec(text)?.[1];
  if (!latin) return closed(text, /[013678]$/, /[178]$/);
  if (latin.length === 1 || latin === latin.toUpperCase())
    return closed(latin.toUpperCase(), /[LMNR]$/, /[LR]$/);
  return closed(latin.toLowerCase(), WORD, /le?$/);
}

const closed = (text: string, consonant: RegExp, l: RegExp) =>
  consonant.test(text) ? (l.test(text) ? "l" : "other") : null;

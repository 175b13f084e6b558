/** Two changes of one text, put together by lines. */

/** Lines that both have, or a place where each side stands for itself. */
export interface Piece {
  mine: string[];
  theirs: string[];
  /** What comes of it without asking, null where both have changed the same lines. */
  taken: string[] | null;
}

/** Pairs of equal lines, in order: places of the longest common part. */
export function common(one: readonly string[], other: readonly string[]): [number, number][] {
  let start = 0;
  while (start < one.length && start < other.length && one[start] === other[start]) start++;
  let end = 0;
  const rest = () => end < one.length - start && end < other.length - start;
  while (rest() && one[one.length - 1 - end] === other[other.length - 1 - end]) end++;
  const a = one.slice(start, one.length - end);
  const b = other.slice(start, other.length - end);
  const width = b.length + 1;
  const longest = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      longest[i * width + j] =
        a[i] === b[j]
          ? longest[(i + 1) * width + j + 1]! + 1
          : Math.max(longest[(i + 1) * width + j]!, longest[i * width + j + 1]!);
  const found: [number, number][] = Array.from({ length: start }, (_, place) => [place, place]);
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) found.push([start + i++, start + j++]);
    else if (longest[(i + 1) * width + j]! >= longest[i * width + j + 1]!) i++;
    else j++;
  }
  for (let left = end; left > 0; left--) found.push([one.length - left, other.length - left]);
  return found;
}

/** The pieces of two texts that were made of `base`. */
export function pieces(base: string, mine: string, theirs: string): Piece[] {
  const [ground, left, right] = [base, mine, theirs].map((text) => text.split("\n")) as [
    string[],
    string[],
    string[],
  ];
  const toLeft = new Map(common(ground, left));
  const toRight = new Map(common(ground, right));
  const kept = ground.map((_, place) => place).filter((place) => toLeft.has(place) && toRight.has(place));
  const found: Piece[] = [];
  let [at, atLeft, atRight] = [0, 0, 0];
  for (const place of [...kept, ground.length]) {
    const endLeft = toLeft.get(place) ?? left.length;
    const endRight = toRight.get(place) ?? right.length;
    const piece = settled(
      ground.slice(at, place),
      left.slice(atLeft, endLeft),
      right.slice(atRight, endRight),
    );
    if (piece) found.push(piece);
    if (place < ground.length) found.push(same([ground[place]!]));
    [at, atLeft, atRight] = [place + 1, endLeft + 1, endRight + 1];
  }
  return found;
}

const same = (lines: string[]): Piece => ({ mine: lines, theirs: lines, taken: lines });

function settled(base: string[], mine: string[], theirs: string[]): Piece | null {
  if (!base.length && !mine.length && !theirs.length) return null;
  const [was, here, there] = [base, mine, theirs].map((lines) => lines.join("\n"));
  if (here === there && mine.length === theirs.length) return same(mine);
  if (there === was && base.length === theirs.length) return { mine, theirs, taken: mine };
  if (here === was && base.length === mine.length) return { mine, theirs, taken: theirs };
  return { mine, theirs, taken: null };
}

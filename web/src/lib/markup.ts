/** The little markup that a coach's text may have: bold words and lists. Anything else is text. */
export interface Piece {
  text: string;
  bold: boolean;
}

export type Block = { kind: "line" | "item"; pieces: Piece[] };

const ITEM = /^(?:[-·•]|\d+\.)\s+/;

/** The lines of a text; empty ones are left out. */
export function blocks(text: string): Block[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => ({
      kind: ITEM.test(line) ? "item" : "line",
      pieces: pieces(line.replace(/^[-•]\s+/, "· ")),
    }));
}

/** `**so**` is bold; stars without a partner stay. */
function pieces(line: string): Piece[] {
  const parts = line.split(/\*\*(?=\S)(.+?)(?<=\S)\*\*/);
  return parts.map((text, index) => ({ text, bold: index % 2 === 1 })).filter((one) => one.text);
}

/** Tables for a spreadsheet. */
export type Cell = string | number | boolean | null | undefined;

const BYTE_ORDER_MARK = "\ufeff";

/** One line. A text that a spreadsheet would calculate gets an apostrophe. */
function line(cells: readonly Cell[]): string {
  const texts = cells.map((cell) => {
    const text = String(cell ?? "");
    const safe = typeof cell === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  });
  return `${texts.join(",")}\r\n`;
}

export const csv = (titles: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  BYTE_ORDER_MARK + [titles, ...rows].map(line).join("");

/** Gives somebody a file. */
export function download(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Places for dots of up to 0.42 across from their middle that neither touch nor leave the field, drawn from a number, so that the same dots lie alike for whoever sees them. */
export function scattered(count: number, columns: number, rows: number, layout: number): [number, number][] {
  let seed = layout >>> 0 || 1;
  const draw = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
  const cells = Array.from({ length: columns * rows }, (_, cell) => cell);
  for (let last = cells.length - 1; last > 0; last--) {
    const other = Math.floor(draw() * (last + 1));
    [cells[last], cells[other]] = [cells[other]!, cells[last]!];
  }
  const off = () => (draw() - 0.5) * 0.14;
  return cells
    .slice(0, count)
    .map((cell) => [(cell % columns) + 0.5 + off(), Math.floor(cell / columns) + 0.5 + off()]);
}

/** Arrow keys between the pieces of a drawing: to the nearest one in that direction. */
const WAYS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
/** How much more a piece to the side counts than one straight ahead. */
const ASIDE = 3;

const middle = (piece: Element): [number, number] => {
  const { left, top, width, height } = piece.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
};

/** Attach to the group of the pieces, which are buttons. */
export function arrows(group: HTMLElement): () => void {
  const go = (event: KeyboardEvent) => {
    const way = WAYS[event.key];
    const from = document.activeElement;
    if (!way || !from || !group.contains(from) || event.defaultPrevented) return;
    const [x, y] = middle(from);
    let [nearest, least] = [from, Number.POSITIVE_INFINITY];
    for (const piece of group.querySelectorAll("button:enabled")) {
      const [right, down] = [middle(piece)[0] - x, middle(piece)[1] - y];
      const ahead = right * way[0] + down * way[1];
      const far = ahead + ASIDE * Math.abs(right * way[1] + down * way[0]);
      if (ahead > 1 && far < least) [nearest, least] = [piece, far];
    }
    event.preventDefault();
    (nearest as HTMLElement).focus();
  };
  group.addEventListener("keydown", go);
  return () => group.removeEventListener("keydown", go);
}

/** Makes what stands in a box smaller until the box holds it. */
const SMALLEST = 0.4;
const HALVINGS = 5;

/** Attach to the only child of the box, whose height is its own. Below the smallest size the box has to scroll. `--zoom`
 * is its size, for what has to stay as large as a finger. */
export function fit(inner: HTMLElement): () => void {
  const box = inner.parentElement!;
  const room = () => {
    const { paddingTop, paddingBottom } = getComputedStyle(box);
    return Math.max(1, box.clientHeight - Number.parseFloat(paddingTop) - Number.parseFloat(paddingBottom));
  };
  /** How much too large it is; 1 where it fits. */
  const excess = () =>
    Math.max(inner.getBoundingClientRect().height / room(), inner.scrollWidth / inner.clientWidth);
  const fits = (size: number) => {
    inner.style.setProperty("zoom", size.toFixed(3));
    inner.style.setProperty("--zoom", size.toFixed(3));
    return excess() <= 1.001;
  };
  const look = () => {
    inner.style.removeProperty("zoom");
    inner.style.removeProperty("--zoom");
    if (excess() <= 1.001) return;
    // Where text breaks its lines, and what stands side by side, changes with the size: it is halved, not calculated.
    let [fitting, tooLarge] = [SMALLEST, 1];
    for (let step = 0; step < HALVINGS; step++) {
      const middle = (fitting + tooLarge) / 2;
      if (fits(middle)) fitting = middle;
      else tooLarge = middle;
    }
    fits(fitting);
  };
  const resized = new ResizeObserver(look);
  const changed = new MutationObserver(look);
  resized.observe(box);
  changed.observe(inner, { childList: true, subtree: true, characterData: true });
  document.fonts.addEventListener("loadingdone", look);
  return () => {
    document.fonts.removeEventListener("loadingdone", look);
    resized.disconnect();
    changed.disconnect();
  };
}

/** Where the strokes of a digit pass, in the order of writing, on a sheet of 200 by 200 on which it stands in outline. */
type Point = readonly [number, number];
const NEAR = 26;

export const CHECKPOINTS: Readonly<Record<string, readonly Point[]>> = {
  0: [
    [100, 38],
    [60, 98],
    [100, 156],
    [140, 98],
    [104, 40],
  ],
  1: [
    [76, 58],
    [106, 42],
    [106, 98],
    [106, 154],
  ],
  2: [
    [64, 68],
    [100, 40],
    [136, 72],
    [100, 116],
    [62, 154],
    [140, 154],
  ],
  3: [
    [64, 60],
    [100, 40],
    [134, 68],
    [100, 96],
    [140, 126],
    [100, 156],
    [60, 134],
  ],
  4: [
    [116, 44],
    [86, 84],
    [58, 126],
    [144, 126],
    [122, 92],
    [122, 154],
  ],
  5: [
    [134, 42],
    [78, 42],
    [72, 90],
    [106, 82],
    [140, 118],
    [100, 156],
    [60, 136],
  ],
  6: [
    [116, 44],
    [80, 84],
    [60, 120],
    [100, 156],
    [140, 120],
    [100, 82],
    [64, 104],
  ],
  7: [
    [60, 42],
    [138, 42],
    [112, 98],
    [86, 154],
  ],
  8: [
    [130, 56],
    [100, 40],
    [68, 66],
    [100, 94],
    [138, 126],
    [100, 156],
    [62, 126],
    [98, 96],
    [130, 70],
  ],
  9: [
    [136, 90],
    [100, 114],
    [60, 76],
    [100, 40],
    [140, 76],
    [120, 112],
    [84, 152],
  ],
};

/** How many checkpoints of a digit have been passed in their order, once a pen that had passed `passed` is at a point. */
export function passes(digit: string, passed: number, [x, y]: Point): number {
  const next = CHECKPOINTS[digit]?.[passed];
  return next && Math.hypot(next[0] - x, next[1] - y) <= NEAR ? passed + 1 : passed;
}

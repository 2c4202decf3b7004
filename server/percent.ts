/** Percent with two decimals, 0 of nothing (D45). */
export const percentOf = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((10_000 * part) / whole) / 100

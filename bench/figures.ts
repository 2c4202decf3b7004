export type Figures = Record<string, string | number>

/** A broken promise, with all figures. */
export function promise(kept: boolean, what: string, figures: Figures): void {
  if (!kept) throw new Error(`${what} (${textOf(figures)})`)
}

export const textOf = (figures: Figures): string =>
  Object.entries(figures)
    .map(([name, value]) => `${name} ${typeof value === 'number' ? value.toLocaleString('en') : value}`)
    .join(', ')

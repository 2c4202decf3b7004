const WIDTH = 96
const HEIGHT = 24
/** Half of the line and the dot must fit. */
const EDGE = 2.5

/** A small line from zero, beside the figure that says it. */
export function Sparkline({ values }: { values: readonly number[] }) {
  const points = pointsOf(values)
  const [x, y] = points.at(-1) ?? []
  return (
    <svg aria-hidden width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className="shrink-0 text-muted">
      <polyline points={points.join(' ')} fill="none" stroke="currentColor" strokeWidth={1.5} strokeLinejoin="round" />
      <circle cx={x} cy={y} r={2} fill="currentColor" />
    </svg>
  )
}

/** Where each value is drawn; zero lies on the lower edge, the largest on the upper one. */
export function pointsOf(values: readonly number[]): [x: number, y: number][] {
  const largest = Math.max(1, ...values)
  const step = (WIDTH - 2 * EDGE) / Math.max(1, values.length - 1)
  const rounded = (pixels: number) => Math.round(pixels * 10) / 10
  return values.map((value, index) => [
    rounded(EDGE + index * step),
    rounded(HEIGHT - EDGE - (Math.max(0, value) / largest) * (HEIGHT - 2 * EDGE)),
  ])
}

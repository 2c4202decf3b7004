import { cx } from '#web/ui/cx.ts'
import { steps } from './steps.ts'

/** The middles of four columns. */
const STATIONS = [126, 402, 678, 954]
const WATER = 132
/** Where a stream comes from, where it joins the river, how wide it is. */
const STREAMS = [
  { from: -30, joins: 116, width: 2 },
  { from: 36, joins: 122, width: 3 },
  { from: 96, joins: 128, width: 4 },
  { from: 176, joins: 136, width: 3 },
  { from: 236, joins: 142, width: 4 },
  { from: 300, joins: 148, width: 2 },
]
const stream = (from: number, joins: number) => `M-600 ${from}H-300C-120 ${from} -70 ${joins} 126 ${WATER}`

/** Streams join at the first station, the river turns to money, and a dashed line leads back. */
export const River = ({ className }: { className?: string }) => (
  <svg aria-hidden viewBox="0 -4 1080 178" className={cx('w-full overflow-visible', className)}>
    <defs>
      <linearGradient id="water" gradientUnits="userSpaceOnUse" x1="402" x2="690" y1="0" y2="0">
        <stop className="[stop-color:var(--color-brand)]" />
        <stop offset="1" className="[stop-color:var(--color-money)]" />
      </linearGradient>
    </defs>
    <g fill="none" strokeLinecap="round">
      {STREAMS.map(({ from, joins, width }) => (
        <g key={from}>
          <path d={stream(from, joins)} strokeWidth={width} className="stroke-brand opacity-45" />
          <Drops d={stream(from, joins)} className="stroke-brand" />
        </g>
      ))}
      <path d={`M126 ${WATER}H402`} strokeWidth="12" className="stroke-brand" />
      <path d={`M402 ${WATER}H954`} strokeWidth="16" stroke="url(#water)" />
      <path d={`M954 ${WATER}H1700`} strokeWidth="20" className="stroke-money" />
      <Drops d={`M126 ${WATER}H1700`} className="stroke-surface" />
      <WayBack />
    </g>
    {steps.map(({ name, icon: Icon, money }, index) => (
      <g key={name} className={money ? 'text-money-ink' : 'text-brand-ink'}>
        <circle
          cx={STATIONS[index]}
          cy={WATER}
          r="34"
          strokeWidth="3"
          className={cx('fill-surface', money ? 'stroke-money' : 'stroke-brand')}
        />
        <Icon x={(STATIONS[index] ?? 0) - 14} y={WATER - 14} width="28" height="28" />
      </g>
    ))}
  </svg>
)

const Drops = ({ d, className }: { d: string; className: string }) => (
  <path d={d} strokeWidth="4" strokeDasharray="0.1 63.9" className={cx('animate-flow', className)} />
)

const WayBack = () => (
  <>
    <path
      d="M954 84C954 20 906 14 866 14H214C174 14 126 20 126 84"
      strokeWidth="2"
      strokeDasharray="6 7"
      className="stroke-faint"
    />
    <path d="M118 76L126 88L134 76" strokeWidth="2" strokeLinejoin="round" className="stroke-faint" />
    <rect x="395" y="-4" width="290" height="36" rx="18" stroke="none" className="fill-canvas" />
    <text x="540" y="20" textAnchor="middle" stroke="none" className="fill-ink text-[17px] font-medium">
      Cada peso regresa a su clic
    </text>
  </>
)

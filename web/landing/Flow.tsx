import { cx } from '#web/ui/cx.ts'
import { River } from './River.tsx'
import { Section } from './Section.tsx'
import { steps } from './steps.ts'

export const Flow = () => (
  <Section
    id="como-funciona"
    title="Muchos clics, un solo cauce"
    lead="Cada afiliado es un arroyo. Afluente los junta y lleva la cuenta de lo que se vuelve dinero."
    className="pt-8 md:text-center lg:pt-6"
  >
    <River className="mt-9 mb-6 hidden md:block" />
    <ol className="mt-14 grid gap-y-2 md:mt-0 md:grid-cols-4 md:gap-x-6">
      {steps.map((step, index) => (
        <li key={step.name} className="flex gap-4 md:block md:text-center">
          <Rail index={index} />
          <div className="min-w-0 pb-7 md:pb-0">
            <h3 className="text-lg font-semibold">{step.name}</h3>
            <p className="mt-1 text-base text-pretty text-muted">{step.text}</p>
            <p
              className={cx(
                'mt-3 inline-block max-w-full rounded-md px-2 py-1 text-xs font-medium break-words tabular-nums',
                step.money ? 'bg-money-soft text-money-ink' : 'bg-brand-soft font-mono text-brand-ink',
              )}
            >
              {step.example}
            </p>
          </div>
        </li>
      ))}
    </ol>
    <p className="rounded-xl border border-dashed border-line-strong px-4 py-3 text-base text-pretty md:hidden">
      <span aria-hidden>↑ </span>Y de regreso: cada peso vuelve a su clic.
    </p>
  </Section>
)

/** The river of a narrow screen: it comes down along the steps, wider at each. */
function Rail({ index }: { index: number }) {
  const step = steps[index]
  if (!step) return null
  const { icon: Icon, money } = step
  const last = index === steps.length - 1
  return (
    <div aria-hidden className={cx('relative w-11 shrink-0 md:hidden', money ? 'text-money' : 'text-brand')}>
      {index === 0 && (
        <svg aria-hidden viewBox="0 0 44 40" className="absolute -top-9 w-full fill-none stroke-current">
          <path
            d="M3 0C3 22 22 20 22 40M15 0C15 22 22 24 22 40M29 0C29 22 22 24 22 40M41 0C41 22 22 20 22 40"
            strokeWidth="2"
            opacity="0.5"
          />
        </svg>
      )}
      {!last && (
        <svg aria-hidden viewBox="0 0 44 100" preserveAspectRatio="none" className="absolute top-5 size-full">
          <path d="M22 0V100" strokeWidth={3 + index * 2} className="fill-none stroke-current" />
          <path
            d="M22 0V100"
            strokeWidth="3"
            strokeLinecap="round"
            strokeDasharray="0.1 31.9"
            vectorEffect="non-scaling-stroke"
            className="animate-trickle fill-none motion-reduce:animate-none stroke-surface"
          />
        </svg>
      )}
      <span className="relative flex size-11 items-center justify-center rounded-full border-2 border-current bg-surface">
        <Icon className="size-5" />
      </span>
    </div>
  )
}

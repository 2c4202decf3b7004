import { useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { useId } from 'react'
import { Link } from 'react-router'
import type { FirstSteps as Made } from '#contract/metrics.ts'
import { paths } from '#web/paths.ts'
import { buttonLook } from '#web/ui/button-look.ts'
import { cx } from '#web/ui/cx.ts'
import { firstStepsQuery } from './queries.ts'

interface Step {
  title: string
  hint: string
  button: string
  path: string
  isDone: (made: Made) => boolean
}

const { admin } = paths

const toIssuers = { button: 'Ir a Emisores', path: admin.issuers }
const toAffiliates = { button: 'Ir a Afiliados', path: admin.affiliates }
const toRelationships = { button: 'Ir a Relaciones', path: admin.relationships }
const toCommissions = { button: 'Ir a Comisiones', path: admin.commissions }
const productStep = {
  hint: 'Lo que el emisor ofrece y el flujo de sus eventos.',
  button: 'Ir a Productos',
  path: admin.products,
}
const flowStep = {
  hint: 'Falta el flujo del producto: agrega sus pasos.',
  button: 'Ir a Eventos',
  path: admin.events,
}

/** In the order of D40: each needs the ones before it. The issuer itself sends the last one. */
const stepsOf = ({ product }: Made): Step[] => [
  {
    title: 'Registra un emisor',
    hint: 'La empresa cuyos productos se promueven.',
    ...toIssuers,
    isDone: (made) => made.issuer,
  },
  {
    title: 'Agrega un producto y sus pasos',
    ...(product ? flowStep : productStep),
    isDone: (made) => made.product && made.event_step,
  },
  {
    title: 'Registra un afiliado',
    hint: 'Quien promueve los productos con su propio enlace.',
    ...toAffiliates,
    isDone: (made) => made.affiliate,
  },
  {
    title: 'Relaciona al afiliado con el emisor',
    hint: 'Con una relación activa, sus enlaces funcionan.',
    ...toRelationships,
    isDone: (made) => made.relationship,
  },
  {
    title: 'Define la comisión',
    hint: 'Lo que gana el afiliado por cada producto. Defínela tú, o el emisor en Productos, Comisiones.',
    ...toCommissions,
    isDone: (made) => made.commission,
  },
  {
    title: 'Recibe un evento de prueba',
    hint: 'Lo envía el emisor desde Configuraciones, Integración. Sus claves están en Emisores.',
    ...toIssuers,
    isDone: (made) => made.event,
  },
]

/** What a network still needs before its first commission; undefined once it has it all, or while nobody knows. */
export function useFirstSteps(): Made | undefined {
  const { data: made } = useQuery(firstStepsQuery())
  return made && stepsOf(made).some(({ isDone }) => !isDone(made)) ? made : undefined
}

export function FirstSteps({ made }: { made: Made }) {
  const title = useId()
  const steps = stepsOf(made)
  const done = steps.filter(({ isDone }) => isDone(made)).length
  const next = steps.findIndex(({ isDone }) => !isDone(made))
  return (
    <section aria-labelledby={title} className="rounded-xl border bg-surface px-5 pt-4 pb-1 shadow-card">
      <h2 id={title} className="text-base font-semibold tabular-nums">
        Primeros pasos · {done} de {steps.length}
      </h2>
      <ol className="mt-2 divide-y divide-line">
        {steps.map((step, index) => (
          <StepRow key={step.title} step={step} number={index + 1} isDone={step.isDone(made)} isNext={index === next} />
        ))}
      </ol>
    </section>
  )
}

interface RowProps {
  step: Step
  number: number
  isDone: boolean
  isNext: boolean
}

const StepRow = ({ step: { title, hint, button, path }, number, isDone, isNext }: RowProps) => (
  <li aria-current={isNext ? 'step' : undefined} className="flex min-h-12 items-center gap-3 py-2">
    <span
      className={cx(
        'flex size-6 shrink-0 items-center justify-center rounded-full text-xs font-semibold tabular-nums',
        isDone && 'bg-brand text-on-brand',
        isNext && 'self-start bg-brand-soft text-brand-ink',
        !isDone && !isNext && 'bg-sunken text-muted',
      )}
    >
      {isDone ? <Check role="img" aria-label="Hecho" className="size-4" /> : number}
    </span>
    <div className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-6 gap-y-2">
      <div className="min-w-0 flex-1 basis-64">
        <p className={cx('font-medium', isDone && 'text-muted')}>{title}</p>
        {isNext && <p className="text-muted">{hint}</p>}
      </div>
      {isNext && (
        <Link to={path} className={buttonLook('primary')}>
          {button}
        </Link>
      )}
    </div>
  </li>
)

import { type Funnel, type FunnelStep, stepName } from '#contract/boards.ts'
import { REJECTED } from '#contract/event-steps.ts'
import { wordName } from '#contract/words.ts'
import { BEFORE, FIGURE } from '#web/charts/series.ts'
import { NEGATIVE_MARK } from '#web/states/looks.ts'
import type { Column } from '#web/table/column.ts'
import { formatNumber } from '#web/ui/format.ts'
import type { Asked } from './queries.ts'
import { Section } from './Section.tsx'
import { percent } from './words.ts'

export const FunnelSteps = ({ funnel, asked }: { funnel: Funnel; asked: Asked }) => (
  <Section
    title="Pasos"
    description="De los leads con clic en el periodo, cuántos han llegado a cada paso hasta hoy."
    table="embudo-pasos"
    asked={asked}
    rows={funnel.steps}
    columns={columns}
    rowKey={({ step_id }) => step_id}
    chart={funnel.leads > 0 && <FunnelBars funnel={funnel} />}
  />
)

/** Bars in a list: they need no library, and say all they show. */
export const FunnelBars = ({ funnel: { steps, leads } }: { funnel: Funnel }) => (
  <ol aria-label="Embudo" className="grid gap-3">
    <Bar name="Clics" share={leads ? 100 : 0} reached={leads} note="" />
    {steps.map((step) => (
      <Bar
        key={step.step_id}
        name={stepName(step)}
        share={step.share}
        reached={step.reached}
        note={noteOf(step)}
        color={colorOf(step)}
      />
    ))}
  </ol>
)

/** Not every step is one towards approval. */
const colorOf = ({ archived, event_type_name }: FunnelStep): string => {
  if (archived) return BEFORE
  return event_type_name === REJECTED ? NEGATIVE_MARK : FIGURE
}

const noteOf = ({ lost, lost_share }: FunnelStep): string =>
  lost === null || lost_share === null || lost === 0 ? '' : `Se pierden ${formatNumber(lost)} (${percent(lost_share)})`

interface BarProps {
  name: string
  share: number
  reached: number
  note: string
  color?: string
}

const Bar = ({ name, share, reached, note, color = FIGURE }: BarProps) => (
  <li className="grid gap-1 sm:grid-cols-[12rem_1fr] sm:gap-4">
    <span className="font-medium wrap-anywhere">{name}</span>
    <span className="min-w-0">
      <span aria-hidden className="block h-6 rounded-md bg-sunken">
        <span
          className="block h-full min-w-0.5 rounded-md"
          style={{ width: `${Math.min(share, 100)}%`, background: color }}
        />
      </span>
      <span className="flex flex-wrap justify-between gap-x-4 text-muted tabular-nums">
        <span>
          <span className="text-ink">{formatNumber(reached)}</span> · {percent(share)} de los clics
        </span>
        {note && <span>{note}</span>}
      </span>
    </span>
  </li>
)

const columns: Column<FunnelStep>[] = [
  { header: 'Paso', cell: stepName },
  { header: 'Tipo', cell: ({ event_type_name }) => wordName('eventType', event_type_name), secondary: true },
  { header: 'Llegaron', cell: ({ reached }) => formatNumber(reached), align: 'right' },
  { header: 'De los clics', cell: ({ share }) => percent(share), align: 'right' },
  { header: 'Se pierden', cell: ({ lost }) => (lost === null ? '-' : formatNumber(lost)), align: 'right' },
  {
    header: 'Se pierden %',
    cell: ({ lost_share }) => (lost_share === null ? '-' : percent(lost_share)),
    align: 'right',
  },
  { header: 'Llegaron en el periodo', cell: ({ events }) => formatNumber(events), align: 'right', secondary: true },
]

import { HandCoins, type LucideIcon, MousePointerClick, Percent, Target } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Performance } from '#contract/boards.ts'
import type { Comparison } from '#contract/periods.ts'
import { ChangeNote, Running } from '#web/charts/ChangeNote.tsx'
import { changeOf } from '#web/charts/change.ts'
import { comparisonText } from '#web/charts/comparison.ts'
import { formatMoney, formatNumber } from '#web/ui/format.ts'
import { Money } from '#web/ui/Money.tsx'
import { StatCard, StatRow } from '#web/ui/StatCard.tsx'
import { changeBetween, percent, pointsBetween } from './words.ts'

type Report = Pick<Performance, 'period' | 'comparison' | 'totals' | 'compared_totals' | 'previous_totals'>

const number = (value: number | string): string => formatNumber(Number(value))

/** The four figures of a period. Its complete days stand beside as many before. */
export const KeyFigures = ({ report }: { report: Report }) => {
  const { totals } = report
  return (
    <StatRow label="Cifras del periodo" count={4}>
      <Figure label="Leads" icon={MousePointerClick} of="leads" report={report} text={number}>
        {formatNumber(totals.leads)}
      </Figure>
      <Figure label="Conversiones" icon={Target} of="conversions" report={report} text={number}>
        {formatNumber(totals.conversions)}
      </Figure>
      <Figure
        label="Tasa de conversión"
        icon={Percent}
        of="conversion_rate"
        report={report}
        text={(rate) => percent(Number(rate))}
      >
        {percent(totals.conversion_rate)}
      </Figure>
      <Figure label="Comisión ganada" icon={HandCoins} of="commission" report={report} text={formatMoney}>
        <Money value={totals.commission} />
      </Figure>
    </StatRow>
  )
}

interface FigureProps {
  label: string
  icon: LucideIcon
  of: keyof Report['totals']
  report: Report
  text: (value: number | string) => string
  children: ReactNode
}

const Figure = ({ label, icon, of, report, text, children }: FigureProps) => (
  <StatCard
    label={label}
    icon={icon}
    value={children}
    aside={isRunning(report) && <Running />}
    note={
      report.comparison ? (
        <Change of={of} report={report} text={text} comparison={report.comparison} />
      ) : (
        'Sin días completos que comparar'
      )
    }
  />
)

/** Its last day is not over. */
const isRunning = ({ comparison, period }: Report): boolean => !comparison || comparison.period.to < period.to

type ChangeProps = Pick<FigureProps, 'of' | 'report' | 'text'> & { comparison: Comparison }

function Change({ of, report, text, comparison }: ChangeProps) {
  const [now, before] = [report.compared_totals[of], report.previous_totals[of]]
  // A percentage is compared in points: a percentage of a percentage would be misread.
  const change =
    of === 'conversion_rate'
      ? pointsBetween(Number(now), Number(before))
      : changeOf({ value: now, previous: before, change: changeBetween(now, before) })
  return (
    <ChangeNote
      change={change}
      since="contra el periodo anterior"
      compared={comparisonText(comparison, text(before))}
    />
  )
}

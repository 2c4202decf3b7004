import { HandCoins, type LucideIcon, MousePointerClick, Percent, Target } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Figures } from '#contract/boards.ts'
import { ChangeNote } from '#web/charts/ChangeNote.tsx'
import { changeOf } from '#web/charts/change.ts'
import { formatNumber } from '#web/ui/format.ts'
import { Money } from '#web/ui/Money.tsx'
import { StatCard, StatRow } from '#web/ui/StatCard.tsx'
import { changeBetween, percent, pointsBetween } from './words.ts'

/** The four figures of a period, each beside the one before. */
export const KeyFigures = ({ now, before }: { now: Figures; before: Figures }) => (
  <StatRow label="Cifras del periodo" count={4}>
    <Figure label="Leads" icon={MousePointerClick} now={now.leads} before={before.leads}>
      {formatNumber(now.leads)}
    </Figure>
    <Figure label="Conversiones" icon={Target} now={now.conversions} before={before.conversions}>
      {formatNumber(now.conversions)}
    </Figure>
    <Figure
      label="Tasa de conversión"
      icon={Percent}
      now={now.conversion_rate}
      before={before.conversion_rate}
      inPoints
    >
      {percent(now.conversion_rate)}
    </Figure>
    <Figure label="Comisión ganada" icon={HandCoins} now={now.commission} before={before.commission}>
      <Money value={now.commission} />
    </Figure>
  </StatRow>
)

interface FigureProps {
  label: string
  icon: LucideIcon
  now: number | string
  before: number | string
  /** A percentage is compared in points: a percentage of a percentage would be misread. */
  inPoints?: boolean
  children: ReactNode
}

function Figure({ label, icon, now, before, inPoints = false, children }: FigureProps) {
  const change = inPoints
    ? pointsBetween(Number(now), Number(before))
    : changeOf({ value: now, previous: before, change: changeBetween(now, before) })
  return (
    <StatCard
      label={label}
      icon={icon}
      value={children}
      note={<ChangeNote change={change} since="contra el periodo anterior" />}
    />
  )
}

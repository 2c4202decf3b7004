import { CircleCheck, Hourglass, Undo2, Wallet } from 'lucide-react'
import type { States } from '#contract/boards.ts'
import { Money } from '#web/ui/Money.tsx'
import { StatCard, StatRow } from '#web/ui/StatCard.tsx'

/** What was earned in the period, by where it is now. */
export const StateCards = ({ states }: { states: States }) => (
  <StatRow label="Comisiones del periodo" count={4}>
    <StatCard
      label="Devengada"
      icon={Hourglass}
      value={<Money value={states.accrued} />}
      note="Por incluir en un pago"
    />
    <StatCard label="En pago" icon={Wallet} value={<Money value={states.in_payment} />} note="En un pago sin pagar" />
    <StatCard label="Pagada" icon={CircleCheck} value={<Money value={states.paid} />} note="En un pago pagado" />
    <StatCard label="Revertida" icon={Undo2} value={<Money value={states.reversed} />} note="De leads rechazados" />
  </StatRow>
)

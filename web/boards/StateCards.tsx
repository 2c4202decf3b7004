import type { States } from '#contract/boards.ts'
import { type EntryState, entryStateLabels } from '#contract/commission-entries.ts'
import { entryLooks } from '#web/states/looks.ts'
import { Money } from '#web/ui/Money.tsx'
import { optionsOf } from '#web/ui/option.ts'
import { StatCard, StatRow } from '#web/ui/StatCard.tsx'

const notes: Record<EntryState, string> = {
  accrued: 'Por incluir en un pago',
  in_payment: 'En un pago sin pagar',
  paid: 'Ya depositada',
  reversed: 'Ya no cuenta',
}

/** What was earned in the period, by where it is now. */
export const StateCards = ({ states }: { states: States }) => (
  <StatRow label="Comisiones del periodo" count={4}>
    {optionsOf(entryStateLabels).map(({ value: state, label }) => (
      <StatCard
        key={state}
        label={label}
        icon={entryLooks[state].icon}
        value={<Money value={states[state]} />}
        note={notes[state]}
      />
    ))}
  </StatRow>
)

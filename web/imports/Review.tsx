import { CircleCheck, Columns3, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import type { ImportRemark, ImportRemarkCount } from '#contract/import-remarks.ts'
import { type ImportCount, type ImportDetail, type ImportOutcome, imports, outcomeLabel } from '#contract/imports.ts'
import { useRefusal } from '#web/auth/rights.ts'
import { pageOf } from '#web/table/address.ts'
import { useUrlFilters } from '#web/table/use-url-filters.ts'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { cx } from '#web/ui/cx.ts'
import { counted, formatDate, formatMoney, formatNumber } from '#web/ui/format.ts'
import { Money } from '#web/ui/Money.tsx'
import { useApplyImport } from './queries.ts'
import { Rows } from './Rows.tsx'
import { byWhom, changesIn, remarkSentence, sentenceOf } from './sentence.ts'
import { Undo } from './Undo.tsx'

/** `pagina`: the list of files keeps its page meanwhile. */
const NARROWED = { veredicto: '', observacion: '', renglones: '1', pagina: '1' }

/** What would come of a file, or came of it: in a sentence, by outcome, row by row. */
export function Review({ file, onMap }: { file: ImportDetail; onMap: () => void }) {
  const { filters, change } = useUrlFilters(NARROWED)
  const outcome = file.outcomes.find((each) => each.outcome === filters.veredicto)?.outcome
  const remark = file.remarks.find((each) => each.remark === filters.observacion)?.remark
  const isApplied = file.applied_at !== null
  // Where a row was left out, the numbers stay those of the simulation.
  const isWhole = isApplied && !file.results.some(({ result }) => result === 'changed')
  return (
    <div className="grid grid-cols-1 gap-6">
      {file.undone_at !== null && <Undo file={file} />}
      <Card
        title={isApplied ? resultOf(file) : sentenceOf(file.outcomes)}
        description={
          isApplied
            ? `Aplicada el ${formatDate(file.applied_at ?? '', 'dayTime')} ${byWhom(file.applied_by_name)}. La simulación decía: ${sentenceOf(file.outcomes)}`
            : 'Nada ha cambiado todavía. Al aplicar, un renglón que ya no coincida con esta simulación se deja fuera.'
        }
        action={!isApplied && <Actions file={file} onMap={onMap} />}
      >
        {isWhole || !isApplied || <p className="mb-2 text-muted">Según la simulación:</p>}
        <Outcomes
          counts={file.outcomes}
          isApplied={isWhole}
          chosen={outcome}
          onChoose={(one) => change({ veredicto: one ?? '', renglones: '1' })}
        />
        {file.remarks.length > 0 && (
          <Remarks
            counts={file.remarks}
            chosen={remark}
            onChoose={(one) => change({ observacion: one ?? '', renglones: '1' })}
          />
        )}
      </Card>
      {isApplied && file.undone_at === null && <Undo file={file} />}
      <Rows
        file={file}
        outcome={outcome}
        remark={remark}
        page={pageOf(filters.renglones)}
        onPage={(page) => change({ renglones: String(page) })}
      />
    </div>
  )
}

function resultOf({ results }: ImportDetail): string {
  const [done, changed] = (['applied', 'changed'] as const).map((result) =>
    results.find((each) => each.result === result),
  )
  const text = `Se ${done?.rows === 1 ? 'aplicó' : 'aplicaron'} ${counted(done?.rows ?? 0, 'cambio', 'cambios')} (${formatMoney(done?.amount ?? '0.00')})`
  if (!changed) return `${text}.`
  const left = counted(changed.rows, 'se dejó fuera porque cambió', 'se dejaron fuera porque cambiaron')
  return `${text}; ${left} desde la simulación.`
}

function Actions({ file, onMap }: { file: ImportDetail; onMap: () => void }) {
  const [asking, setAsking] = useState(false)
  const apply = useApplyImport(file.id)
  const refuse = useRefusal()
  const rows = changesIn(file)
  const text = `Aplicar ${counted(rows, 'cambio', 'cambios')}`
  return (
    <div className="flex flex-wrap gap-2">
      <Button icon={Columns3} onClick={onMap} disabledReason={refuse(imports.map)}>
        Cambiar columnas
      </Button>
      <Button
        variant="primary"
        icon={CircleCheck}
        disabledReason={refuse(imports.apply) ?? (rows ? undefined : 'Ningún renglón cambia algo')}
        onClick={() => setAsking(true)}
      >
        {text}
      </Button>
      {asking && (
        <ConfirmDialog
          title={text}
          confirm={text}
          busy={apply.isPending}
          busyText="Aplicando..."
          onConfirm={() => apply.mutate(file.simulated_at ?? '', { onSuccess: () => setAsking(false) })}
          onClose={() => setAsking(false)}
        >
          {sentenceOf(file.outcomes)}
        </ConfirmDialog>
      )}
    </div>
  )
}

interface OutcomesProps {
  counts: readonly ImportCount[]
  /** All that they say came to be. */
  isApplied: boolean
  chosen: ImportOutcome | undefined
  onChoose: (outcome: ImportOutcome | undefined) => void
}

interface RemarksProps {
  counts: readonly ImportRemarkCount[]
  chosen: ImportRemark | undefined
  onChoose: (remark: ImportRemark | undefined) => void
}

/** What is remarkable about rows; it stands beside what would come of them, and narrows the rows below, too. */
const Remarks = ({ counts, chosen, onChoose }: RemarksProps) => (
  <section aria-labelledby="observaciones" className="mt-4">
    <h3 id="observaciones" className="mb-2 text-muted">
      No coincide con lo que consta; es solo un aviso y no cambia lo que se aplica:
    </h3>
    <ul className="grid grid-cols-1 gap-2">
      {counts.map((count) => (
        <li key={count.remark}>
          <button
            type="button"
            aria-pressed={chosen === count.remark}
            onClick={() => onChoose(chosen === count.remark ? undefined : count.remark)}
            className={cx(
              'flex min-h-11 w-full items-center gap-2 rounded-lg border px-3 py-2 text-left',
              chosen === count.remark ? 'border-brand bg-brand-soft text-brand-ink' : 'hover:bg-sunken',
            )}
          >
            <TriangleAlert aria-hidden className="size-4 shrink-0 text-muted" />
            <span className="min-w-0 wrap-anywhere">{remarkSentence(count)}</span>
          </button>
        </li>
      ))}
    </ul>
  </section>
)

/** Each outcome is a button that narrows the rows below to it. */
function Outcomes({ counts, isApplied, chosen, onChoose }: OutcomesProps) {
  return (
    <ul aria-label="Veredictos" className="grid grid-cols-1 gap-2 sm:grid-cols-2 lg:grid-cols-3">
      {counts.map(({ outcome, rows, amount }) => (
        <li key={outcome}>
          <button
            type="button"
            aria-pressed={chosen === outcome}
            onClick={() => onChoose(chosen === outcome ? undefined : outcome)}
            className={cx(
              'flex min-h-11 w-full items-baseline justify-between gap-3 rounded-lg border px-3 py-2 text-left',
              chosen === outcome ? 'border-brand bg-brand-soft text-brand-ink' : 'hover:bg-sunken',
            )}
          >
            <span className="min-w-0 wrap-anywhere">{outcomeLabel(outcome, isApplied ? 'applied' : null)}</span>
            <span className="flex gap-3 text-right whitespace-nowrap tabular-nums">
              <span className="font-medium">{formatNumber(rows)}</span>
              {amount !== '0.00' && <Money value={amount} />}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}

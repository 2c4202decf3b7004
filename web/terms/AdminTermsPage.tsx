import { useQuery } from '@tanstack/react-query'
import { CircleX, Plus, Scale } from 'lucide-react'
import { useState } from 'react'
import { type Term, termScopeLabels, terms } from '#contract/terms.ts'
import { validationLabels } from '#contract/validation.ts'
import { useRefusal } from '#web/auth/rights.ts'
import { Page } from '#web/shell/Page.tsx'
import type { Column } from '#web/table/column.ts'
import { DataTable } from '#web/table/DataTable.tsx'
import { Badge, type Tone } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Day } from '#web/ui/dates.tsx'
import { counted, formatDate } from '#web/ui/format.ts'
import { laterDialog } from '#web/ui/later.tsx'
import { RemoveDialog } from '#web/ui/RemoveDialog.tsx'
import { termsQuery, useCancelTerm } from './queries.ts'

const TermDialog = laterDialog(async () => (await import('./TermDialog.tsx')).TermDialog)

const states: Record<Term['state'], { label: string; tone: Tone }> = {
  future: { label: 'Por empezar', tone: 'info' },
  in_force: { label: 'Vigente', tone: 'success' },
  past: { label: 'Anterior', tone: 'neutral' },
  cancelled: { label: 'Cancelada', tone: 'neutral' },
}

const INHERITED = <span className="text-muted">Hereda</span>

/** 'Banco Río · Tarjeta Oro · Portal Sur' */
const whomOf = ({ scope, issuer_name, product_name, affiliate_name }: Term): string =>
  [issuer_name, product_name, affiliate_name].filter(Boolean).join(' · ') || termScopeLabels[scope]

const columns: Column<Term>[] = [
  {
    header: 'Para quién',
    cell: (term) => <span className="font-medium wrap-anywhere xl:block xl:min-w-56">{whomOf(term)}</span>,
    title: (term) => term.note ?? '',
    sort: whomOf,
    wrap: true,
    card: 'title',
  },
  {
    header: 'Alcance',
    cell: ({ scope }) => termScopeLabels[scope],
    sort: ({ scope }) => termScopeLabels[scope],
    card: 'meta',
  },
  {
    header: 'Desde',
    cell: ({ valid_from }) => <Day value={valid_from} />,
    sort: ({ valid_from }) => valid_from,
    card: 'meta',
  },
  {
    header: 'Aprobación',
    cell: ({ validation }) => (validation ? validationLabels[validation] : INHERITED),
    card: 'line',
  },
  {
    header: 'Validación',
    cell: ({ validation_days }) => (validation_days === null ? INHERITED : counted(validation_days, 'día', 'días')),
    align: 'right',
    card: 'line',
  },
  { header: 'Quién', cell: ({ author_name }) => author_name, secondary: true, card: 'line' },
  {
    header: 'Estado',
    cell: ({ state }) => <Badge tone={states[state].tone}>{states[state].label}</Badge>,
    sort: ({ state }) => states[state].label,
    card: 'chip',
  },
]

type Open = { kind: 'create' } | { kind: 'cancel'; term: Term }

/** Until when commissions are validated, and whether the issuer approves them. */
export default function AdminTermsPage() {
  const [open, setOpen] = useState<Open>()
  const list = useQuery(termsQuery())
  const refuse = useRefusal()
  const close = () => setOpen(undefined)
  const create = (
    <Button
      variant="primary"
      icon={Plus}
      onClick={() => setOpen({ kind: 'create' })}
      disabledReason={refuse(terms.create)}
    >
      Nueva condición
    </Button>
  )
  return (
    <Page
      title="Condiciones"
      description="Cuántos días se valida una comisión antes de poder pagarse y si el emisor la aprueba. Vale para lo que se gane desde su fecha: lo ya ganado no cambia."
      count={list.data && counted(list.data.length, 'condición', 'condiciones')}
      action={create}
    >
      <DataTable
        query={list}
        columns={columns}
        loading="Cargando condiciones..."
        errorText="Error al cargar las condiciones"
        empty="No hay condiciones"
        emptyHint="Mientras no haya, toda comisión puede pagarse desde el día en que se gana, sin aprobación."
        emptyIcon={Scale}
        emptyAction={create}
        actions={(term) =>
          term.state === 'future'
            ? [
                {
                  label: `Cancelar la condición de ${whomOf(term)}`,
                  icon: CircleX,
                  tone: 'danger',
                  onClick: () => setOpen({ kind: 'cancel', term }),
                  disabledReason: refuse(terms.cancel),
                },
              ]
            : []
        }
      />
      {open?.kind === 'create' && <TermDialog onClose={close} />}
      {open?.kind === 'cancel' && <CancelDialog term={open.term} onClose={close} />}
    </Page>
  )
}

const CancelDialog = ({ term, onClose }: { term: Term; onClose: () => void }) => (
  <RemoveDialog
    title="¿Cancelar esta condición?"
    confirm="Cancelar la condición"
    busyText="Cancelando..."
    cancel="Conservarla"
    remove={useCancelTerm()}
    id={term.id}
    onClose={onClose}
  >
    {`${whomOf(term)}: iba a empezar el ${formatDate(term.valid_from, 'day')}. Sigue valiendo lo que vale hoy.`}
  </RemoveDialog>
)

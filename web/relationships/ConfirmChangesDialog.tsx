import { ArrowRight } from 'lucide-react'
import type { Relationship } from '#contract/relationships.ts'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { RelationshipBalance } from './RelationshipBalance.tsx'

interface Props {
  relationship: Relationship
  /** The names after the change. */
  affiliate: string
  issuer: string
  busy: boolean
  onConfirm: () => void
  onClose: () => void
}

export function ConfirmChangesDialog({ relationship, affiliate, issuer, busy, onConfirm, onClose }: Props) {
  return (
    <ConfirmDialog
      title="Confirmar Cambios"
      confirm="Confirmar"
      busy={busy}
      busyText="Actualizando..."
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <dl className="grid gap-3">
        <Change label="Afiliado" before={relationship.affiliate_name} after={affiliate} />
        <Change label="Emisor" before={relationship.issuer_name} after={issuer} />
      </dl>
      <p className="mt-3">
        Los enlaces publicados con esta relación contarán para la pareja nueva, y las comisiones y condiciones acordadas
        con la anterior terminan. Los leads y los pagos que ya existen no cambian de dueño.
      </p>
      <RelationshipBalance ids={[relationship.id]} />
    </ConfirmDialog>
  )
}

function Change({ label, before, after }: { label: string; before: string; after: string }) {
  return (
    <div>
      <dt className="text-xs">{label}</dt>
      <dd className="flex flex-wrap items-center gap-x-2 text-ink">
        {before === after ? (
          <span className="wrap-anywhere">{after} (sin cambio)</span>
        ) : (
          <>
            <span className="wrap-anywhere">{before}</span>
            <ArrowRight role="img" aria-label="cambia a" className="size-4 shrink-0 text-faint" />
            <strong className="wrap-anywhere">{after}</strong>
          </>
        )}
      </dd>
    </div>
  )
}

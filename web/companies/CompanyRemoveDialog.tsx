import type { Dependents } from '#contract/companies.ts'
import { OpenBalance } from '#web/payments/OpenBalance.tsx'
import { RemoveDialog } from '#web/ui/RemoveDialog.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import type { Company, CompanyKind } from './company-kind.ts'
import { countsOf } from './dependents.ts'

interface Props {
  kind: CompanyKind
  company: Company
  onClose: () => void
}

export function CompanyRemoveDialog({ kind, company, onClose }: Props) {
  const remove = kind.useRemove()
  const dependents = kind.useDependents(company.id)
  return (
    <RemoveDialog remove={remove} id={company.id} onClose={onClose}>
      <p>
        Se eliminará el {kind.texts.one} <strong className="text-ink">{company.company_name}</strong>. Sus enlaces
        dejarán de funcionar y su API key quedará anulada.
      </p>
      <div aria-live="polite" className="mt-3">
        {dependents.data ? (
          <Consequences dependents={dependents.data} />
        ) : dependents.isError ? (
          <p>
            No se pudo contar lo que se va con él: usuarios, relaciones, productos y comisiones. Su historia se
            conserva, y lo que se le deba se puede pagar después.
          </p>
        ) : (
          <p className="grid gap-2">
            <span className="sr-only">Contando lo que se va con él...</span>
            <Skeleton className="w-full" />
            <Skeleton className="w-2/3" />
          </p>
        )}
      </div>
    </RemoveDialog>
  )
}

function Consequences({ dependents }: { dependents: Dependents }) {
  const { going, staying } = countsOf(dependents)
  return (
    <>
      <OpenBalance amount={dependents.open_balance} />
      <dl className="mt-2 grid gap-2">
        <div>
          <dt className="font-medium text-ink">También se elimina</dt>
          <dd>{going || 'Nada más: no tiene usuarios, relaciones, productos ni comisiones.'}</dd>
        </div>
        {staying && (
          <div>
            <dt className="font-medium text-ink">Se conserva</dt>
            <dd>{staying}</dd>
          </div>
        )}
      </dl>
    </>
  )
}

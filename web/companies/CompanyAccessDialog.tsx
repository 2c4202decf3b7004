import { useQuery } from '@tanstack/react-query'
import { type CompanyAccess, type KeyKind, keyLabels } from '#contract/companies.ts'
import { Button } from '#web/ui/Button.tsx'
import { Fact, Facts } from '#web/ui/Card.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { ErrorState } from '#web/ui/EmptyState.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { AccessLists } from './AccessLists.tsx'
import { accessQuery, type Owner } from './access.ts'
import { ChangeKey } from './ChangeKey.tsx'
import type { Company } from './company-kind.ts'
import { KeyState } from './KeyState.tsx'
import { SignatureRule } from './SignatureRule.tsx'

const kinds: Record<Owner['noun'], KeyKind[]> = { issuer: ['api', 'signing', 'postback'], affiliate: ['api'] }

/** A company's keys, without reading them, and who acts for it. */
export function CompanyAccessDialog({
  owner,
  company,
  onClose,
}: {
  owner: Owner
  company: Company
  onClose: () => void
}) {
  const access = useQuery(accessQuery(owner))
  return (
    <Dialog
      title="Claves y accesos"
      description={company.company_name}
      size="lg"
      onClose={onClose}
      footer={<Button onClick={onClose}>Cerrar</Button>}
    >
      {access.data ? (
        <Loaded owner={owner} access={access.data} />
      ) : access.isError ? (
        <ErrorState text="No se pudieron cargar las claves y los accesos" query={access} />
      ) : (
        <p role="status" className="grid gap-3 pt-2">
          <span className="sr-only">Cargando claves y accesos...</span>
          <Skeleton className="h-9 w-72 max-w-full" />
          <Skeleton className="h-40 w-full" />
        </p>
      )}
    </Dialog>
  )
}

const Loaded = ({ owner, access }: { owner: Owner; access: CompanyAccess }) => (
  <div className="grid gap-6 pt-2">
    <Facts>
      {kinds[owner.noun].map((kind) => {
        const current = access.keys.find((key) => key.kind === kind && key.expires_at === null)
        return (
          <Fact key={kind} label={keyLabels[kind]} wide>
            <span className="flex flex-wrap items-center gap-x-3 gap-y-2">
              {current ? (
                <code className="text-xs">{current.prefix}…</code>
              ) : (
                <span className="text-muted">No existe</span>
              )}
              <ChangeKey owner={owner} kind={kind} first={!current} loading={false} />
            </span>
            <KeyState owner={owner} kind={kind} access={access} />
          </Fact>
        )
      })}
      {owner.noun === 'issuer' && (
        <Fact label="Firma de los eventos" wide>
          <SignatureRule owner={owner} access={access} />
        </Fact>
      )}
    </Facts>
    <AccessLists access={access} />
  </div>
)

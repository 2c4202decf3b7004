import { Ban } from 'lucide-react'
import { useState } from 'react'
import type { CompanyAccess, CompanyKey, KeyKind } from '#contract/companies.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { LongDayTime, RelativeTime } from '#web/ui/dates.tsx'
import { keyWords, type Owner, useRevokeOld } from './access.ts'

interface Props {
  owner: Owner
  kind: KeyKind
  /** Undefined while it loads or when it failed to. */
  access: CompanyAccess | undefined
}

/** Below a key: when it was used last, and what still works beside it. */
export function KeyState({ owner, kind, access }: Props) {
  const keys = access?.keys.filter((key) => key.kind === kind) ?? []
  const current = keys.find(({ expires_at }) => expires_at === null)
  const old = keys.filter(({ expires_at }) => expires_at !== null)
  return (
    <div className="mt-1.5 grid gap-1.5 text-xs text-muted empty:hidden">
      {current && (
        <p>
          {owner.noun === 'issuer' && kind !== 'signing' && <LastUse used={current} />} Vigente desde el{' '}
          <LongDayTime value={current.created_at} />.
        </p>
      )}
      {kind === 'signing' && owner.noun === 'issuer' && access && <SigningByKey owner={owner} access={access} />}
      {old.map((key) => (
        <OldKey key={key.id} owner={owner} old={key} />
      ))}
    </div>
  )
}

const LastUse = ({ used }: { used: CompanyKey }) =>
  used.last_used_at ? (
    <>
      Último uso: <RelativeTime value={used.last_used_at} />
      {used.last_used_from && ` desde la red ${used.last_used_from}`}.
    </>
  ) : (
    'Sin usar todavía.'
  )

function OldKey({ owner, old }: { owner: Owner; old: CompanyKey }) {
  return (
    <StillValid owner={owner} kind={old.kind}>
      {keyWords[old.kind].old.replace(/^./, (letter) => letter.toUpperCase())} (<code>{old.prefix}</code>) vale hasta el{' '}
      <LongDayTime value={old.expires_at} />.{' '}
      {owner.noun === 'issuer' && old.kind !== 'signing' && <LastUse used={old} />}
    </StillValid>
  )
}

function SigningByKey({ owner, access: { key_signs_until } }: { owner: Owner; access: CompanyAccess }) {
  if (key_signs_until === null)
    return (
      <p>
        Mientras no exista, la firma se hace con la API key, que viaja en cada solicitud: quien la copie también puede
        firmar.
      </p>
    )
  if (Date.parse(key_signs_until) <= Date.now()) return null
  return (
    <StillValid owner={owner} kind="signing">
      La firma con la API key se acepta hasta el <LongDayTime value={key_signs_until} />.
    </StillValid>
  )
}

/** What a change left valid, and the button that ends it. */
function StillValid({ owner, kind, children }: { owner: Owner; kind: KeyKind; children: React.ReactNode }) {
  const [asking, setAsking] = useState(false)
  const revoke = useRevokeOld(owner, kind)
  const close = () => setAsking(false)
  const { name, old } = keyWords[kind]
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <p className="min-w-0 wrap-anywhere">{children}</p>
      <Button
        size="sm"
        icon={Ban}
        onClick={() => setAsking(true)}
        aria-label={`Revocar de inmediato ${old} de ${name}`.replace('de el ', 'del ')}
      >
        Revocar de inmediato
      </Button>
      {asking && (
        <ConfirmDialog
          title="Revocar de inmediato"
          confirm="Revocar"
          danger
          busy={revoke.isPending}
          busyText="Revocando..."
          onConfirm={() => revoke.mutate(undefined, { onSuccess: close })}
          onClose={close}
        >
          {kind === 'signing' ? 'Lo anterior para firmar' : `El valor anterior de ${name}`.replace('de el ', 'del ')}{' '}
          dejará de funcionar en este momento. Todo sistema que lo use recibirá errores hasta que cambie.
        </ConfirmDialog>
      )}
    </div>
  )
}

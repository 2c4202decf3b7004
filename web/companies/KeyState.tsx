import { Ban } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { CompanyAccess, CompanyKey, KeyKind } from '#contract/companies.ts'
import { issuers } from '#contract/issuers.ts'
import { useRefusal } from '#web/auth/rights.ts'
import { Button } from '#web/ui/Button.tsx'
import { DayTime, LongDayTime, RelativeTime } from '#web/ui/dates.tsx'
import { RemoveDialog } from '#web/ui/RemoveDialog.tsx'
import { keyWords, type Owner, useRevokeOld } from './access.ts'

interface Props {
  owner: Owner
  kind: KeyKind
  /** Undefined while it loads or when it failed to. */
  access: CompanyAccess | undefined
}

/** Below a key: when it was used last, and what still works beside it. */
export function KeyState({ owner, kind, access }: Props) {
  // The line that most keys have, so that nothing below moves.
  if (!access) return <p className="mt-1.5 text-xs">&nbsp;</p>
  const keys = access.keys.filter((key) => key.kind === kind)
  const current = keys.find(({ expires_at }) => expires_at === null)
  const old = keys.filter(({ expires_at }) => expires_at !== null)
  const signs = kind === 'signing' && owner.noun === 'issuer' ? access.key_signs_until : undefined
  const signsStill = typeof signs === 'string' && Date.parse(signs) > Date.now()
  const used = (key: CompanyKey) => kind !== 'signing' && <LastUse used={key} />
  return (
    <div className="mt-1.5 grid gap-1.5 text-xs text-muted empty:hidden">
      {current && (
        <p>
          {used(current)} Vigente desde el <LongDayTime value={current.created_at} />.
        </p>
      )}
      {signs === null && (
        <p>
          Mientras no exista, la firma se hace con la API key, que viaja en cada solicitud: quien la copie también puede
          firmar.
        </p>
      )}
      {(old.length > 0 || signsStill) && (
        <StillValid owner={owner} kind={kind}>
          {old.map((key) => (
            <p key={key.id}>
              {capitalized(keyWords[kind].old)} (<code>{key.prefix}…</code>) vale hasta el{' '}
              <LongDayTime value={key.expires_at} />. {used(key)}
            </p>
          ))}
          {signsStill && (
            <p>
              La firma con la API key se acepta hasta el <LongDayTime value={signs} />.
            </p>
          )}
        </StillValid>
      )}
    </div>
  )
}

const capitalized = (text: string): string => text.replace(/^./, (letter) => letter.toUpperCase())

const LastUse = ({ used }: { used: CompanyKey }) =>
  used.last_used_at ? (
    <>
      Último uso: <DayTime value={used.last_used_at} />, <RelativeTime value={used.last_used_at} />
      {used.last_used_from && ` desde la red ${used.last_used_from}`}.
    </>
  ) : (
    'Sin usar todavía.'
  )

/** What changes left valid, and the button that ends all of it. */
function StillValid({ owner, kind, children }: { owner: Owner; kind: KeyKind; children: ReactNode }) {
  const [asking, setAsking] = useState(false)
  const revoke = useRevokeOld(owner, kind)
  const refuse = useRefusal()
  const { name, old } = keyWords[kind]
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <div className="grid min-w-0 gap-1.5 wrap-anywhere">{children}</div>
      <Button
        size="sm"
        icon={Ban}
        onClick={() => setAsking(true)}
        disabledReason={refuse(issuers.revokeOldKeys)}
        aria-label={`Revocar de inmediato ${old} de ${name}`.replace('de el ', 'del ')}
      >
        Revocar de inmediato
      </Button>
      {asking && (
        <RemoveDialog
          title="Revocar de inmediato"
          confirm="Revocar"
          busyText="Revocando..."
          remove={revoke}
          id={undefined}
          onClose={() => setAsking(false)}
        >
          {kind === 'signing'
            ? 'Desde este momento se rechazará toda firma que no sea del secreto vigente.'
            : `El valor anterior de ${name} dejará de funcionar en este momento.`.replace('de el ', 'del ')}{' '}
          Todo sistema que no haya cambiado recibirá errores hasta que cambie.
        </RemoveDialog>
      )}
    </div>
  )
}

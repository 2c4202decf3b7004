import { useIsFetching, useQuery } from '@tanstack/react-query'
import { Fingerprint, Smartphone } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { factorKindLabels, type SecondFactor, type SecondFactors, secondFactors } from '#contract/second-factors.ts'
import { useRefusal } from '#web/auth/rights.ts'
import { places } from '#web/paths.ts'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { DayTime, LongDay, RelativeTime } from '#web/ui/dates.tsx'
import { ErrorState } from '#web/ui/EmptyState.tsx'
import { counted } from '#web/ui/format.ts'
import { laterDialog } from '#web/ui/later.tsx'
import { RemoveDialog } from '#web/ui/RemoveDialog.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { passkeysPossible } from './passkeys-possible.ts'
import { ownFactorsQuery, useRemoveFactor, useRenewCodes } from './queries.ts'
import { RecoveryCodesDialog } from './RecoveryCodesDialog.tsx'

const PasskeyDialog = laterDialog(async () => (await import('./PasskeyDialog.tsx')).PasskeyDialog)
const TotpDialog = laterDialog(async () => (await import('./TotpDialog.tsx')).default)

type Open = { kind: 'totp' | 'passkey' } | { kind: 'remove'; factor: SecondFactor } | { kind: 'codes'; codes: string[] }

/** What a sign-in asks for besides the password. */
export function FactorsCard() {
  const own = useQuery(ownFactorsQuery())
  const [open, setOpen] = useState<Open>()
  const place = useRef<HTMLDivElement>(null)
  const { hash } = useLocation()
  // What still loads above would push it away again.
  const isSettled = useIsFetching() === 0 && own.data !== undefined
  const isAsked = hash === `#${places.factors}`
  useEffect(() => {
    if (isAsked && isSettled) place.current?.scrollIntoView()
  }, [isAsked, isSettled])
  const close = () => setOpen(undefined)
  const added = (codes: string[] | null) => (codes ? setOpen({ kind: 'codes', codes }) : close())
  return (
    <div ref={place} className="scroll-mt-20">
      <Card
        title="Verificación en dos pasos"
        description="Además de la contraseña, algo que solo tú tienes: así una contraseña robada no basta para entrar."
      >
        {own.data ? (
          <Own own={own.data} onOpen={setOpen} />
        ) : own.isError ? (
          <ErrorState text="No se pudo cargar tu verificación en dos pasos" query={own} />
        ) : (
          <p role="status" className="grid gap-4">
            <span className="sr-only">Cargando tu verificación en dos pasos...</span>
            <span className="flex h-[1lh] items-center">
              <Skeleton className="w-64 max-w-full" />
            </span>
            <Skeleton className="h-9 w-60 max-w-full" />
          </p>
        )}
        {open?.kind === 'totp' && <TotpDialog onClose={close} onAdded={added} />}
        {open?.kind === 'passkey' && <PasskeyDialog onClose={close} onAdded={added} />}
        {open?.kind === 'remove' && <RemoveFactorDialog factor={open.factor} onClose={close} />}
        {open?.kind === 'codes' && <RecoveryCodesDialog codes={open.codes} onClose={close} />}
      </Card>
    </div>
  )
}

function Own({ own, onOpen }: { own: SecondFactors; onOpen: (open: Open) => void }) {
  const { factors, recovery_codes_left, passkeys_possible } = own
  const renew = useRenewCodes()
  const refuse = useRefusal()
  const hasTotp = factors.some(({ kind }) => kind === 'totp')
  return (
    <div className="grid gap-4">
      {factors.length ? (
        <ul aria-label="Segundos factores" className="divide-y">
          {factors.map((factor) => (
            <FactorLine key={factor.id} factor={factor} onRemove={() => onOpen({ kind: 'remove', factor })} />
          ))}
        </ul>
      ) : (
        <p className="text-muted">Todavía no la usas: para entrar basta tu contraseña.</p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        {!hasTotp && (
          <Button
            icon={Smartphone}
            onClick={() => onOpen({ kind: 'totp' })}
            disabledReason={refuse(secondFactors.startTotp)}
          >
            Agregar aplicación de códigos
          </Button>
        )}
        {passkeys_possible && passkeysPossible() && (
          <Button
            icon={Fingerprint}
            onClick={() => onOpen({ kind: 'passkey' })}
            disabledReason={refuse(secondFactors.startPasskey)}
          >
            Agregar llave de acceso
          </Button>
        )}
        {factors.length > 0 && (
          <>
            <Button
              busy={renew.isPending}
              disabledReason={refuse(secondFactors.renewRecoveryCodes)}
              onClick={() =>
                renew.mutate(undefined, {
                  onSuccess: ({ recovery_codes }) => onOpen({ kind: 'codes', codes: recovery_codes ?? [] }),
                })
              }
            >
              Nuevos códigos de recuperación
            </Button>
            <span className="text-muted">
              Te {recovery_codes_left === 1 ? 'queda' : 'quedan'} {counted(recovery_codes_left, 'código', 'códigos')}
            </span>
          </>
        )}
      </div>
    </div>
  )
}

function FactorLine({ factor, onRemove }: { factor: SecondFactor; onRemove: () => void }) {
  const refuse = useRefusal()
  const Icon = factor.kind === 'totp' ? Smartphone : Fingerprint
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
      <Icon aria-hidden className="size-5 shrink-0 text-faint" />
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-medium wrap-anywhere">{factor.label}</p>
        <p className="text-xs text-muted">
          {factorKindLabels[factor.kind]} · desde el <LongDay value={factor.created_at} />
          {factor.last_used_at && (
            <>
              {' '}
              · último uso <DayTime value={factor.last_used_at} />, <RelativeTime value={factor.last_used_at} />
            </>
          )}
        </p>
      </div>
      <Button
        size="sm"
        onClick={onRemove}
        disabledReason={refuse(secondFactors.remove)}
        aria-label={`Quitar ${factor.label}`}
      >
        Quitar
      </Button>
    </li>
  )
}

const RemoveFactorDialog = ({ factor, onClose }: { factor: SecondFactor; onClose: () => void }) => (
  <RemoveDialog
    title="¿Quitar este segundo factor?"
    confirm="Quitar"
    busyText="Quitando..."
    remove={useRemoveFactor()}
    id={factor.id}
    onClose={onClose}
  >
    <strong className="text-ink">{factor.label}</strong> deja de servir para entrar. Si es el último, bastará tu
    contraseña y tus códigos de recuperación dejan de valer.
  </RemoveDialog>
)

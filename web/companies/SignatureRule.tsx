import { useState } from 'react'
import type { CompanyAccess } from '#contract/companies.ts'
import { issuers } from '#contract/issuers.ts'
import { useRefusal } from '#web/auth/rights.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { cx } from '#web/ui/cx.ts'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { type Owner, useRequireSignature } from './access.ts'

/** Whether an issuer's events must be signed, and the switch. */
export function SignatureRule({ owner, access }: { owner: Owner; access: CompanyAccess | undefined }) {
  const [asking, setAsking] = useState(false)
  const save = useRequireSignature(owner)
  const refuse = useRefusal()
  const close = () => setAsking(false)
  const required = access?.signature_required ?? false
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      {access ? (
        <Badge tone={required ? 'success' : 'neutral'}>{required ? 'Obligatoria' : 'Opcional'}</Badge>
      ) : (
        <Skeleton className="h-6 w-[4.5rem]" />
      )}
      <span className={cx('min-w-0 text-muted', !access && 'invisible')}>
        {required ? 'Un evento sin firma se rechaza con SIGNATURE_REQUIRED.' : 'Se aceptan eventos sin firma.'}
      </span>
      <Button
        size="sm"
        disabledReason={refuse(issuers.requireSignature) ?? reasonNot(access)}
        onClick={() => setAsking(true)}
      >
        {required ? 'Dejar de exigir la firma' : 'Exigir la firma'}
      </Button>
      {asking && (
        <ConfirmDialog
          title={required ? 'Dejar de exigir la firma' : 'Exigir la firma'}
          confirm={required ? 'Dejar de exigirla' : 'Exigirla'}
          danger={required}
          busy={save.isPending}
          busyText="Guardando..."
          onConfirm={() => save.mutate(!required, { onSuccess: close })}
          onClose={close}
        >
          {required
            ? 'Bastará la API key o el token de postback para reportar un evento: quien copie uno de los dos podrá hacerlo.'
            : 'Desde este momento se rechaza todo evento sin firma. Los postbacks con macros no se pueden firmar, así que también se rechazan. Antes de seguir, comprueba que los sistemas ya firman con el secreto.'}
        </ConfirmDialog>
      )}
    </div>
  )
}

const reasonNot = (access: CompanyAccess | undefined): string | undefined => {
  if (!access) return 'Aún se está cargando'
  return access.key_signs_until === null ? 'Crea primero el secreto de firma' : undefined
}

import { useEffect } from 'react'
import { TotpCode } from '#contract/second-factors.ts'
import { DialogForm } from '#web/form/DialogForm.tsx'
import { TextField } from '#web/form/TextField.tsx'
import { useSchemaForm } from '#web/form/use-schema-form.ts'
import { QrPicture } from '#web/products/LinkQr.tsx'
import { drawQr } from '#web/products/qr.ts'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { useConfirmTotp, useStartTotp } from './queries.ts'

interface Props {
  onClose: () => void
  /** With the recovery codes, where they are the first. */
  onAdded: (codes: string[] | null) => void
}

export default function TotpDialog({ onClose, onAdded }: Props) {
  const { mutate: start, data: seed, isError } = useStartTotp()
  const confirm = useConfirmTotp()
  const form = useSchemaForm(TotpCode, { code: '' })
  useEffect(() => start(), [start])
  // Without a seed there is nothing to confirm; the notice has said why.
  useEffect(() => {
    if (isError) onClose()
  }, [isError, onClose])
  const code = seed && drawQr(seed.uri)
  return (
    <DialogForm
      title="Agregar aplicación de códigos"
      description="Lee el código QR con Google Authenticator, 1Password, Aegis o la que uses, y escribe las seis cifras que muestra."
      size="sm"
      form={form}
      busy={confirm.isPending}
      error={confirm.error}
      submit="Activar"
      submitBusy="Activando..."
      disabledReason={seed ? undefined : 'Espera un momento'}
      onClose={onClose}
      onSubmit={(body) => confirm.mutate(body, { onSuccess: ({ recovery_codes }) => onAdded(recovery_codes) })}
    >
      {seed && code ? (
        <div className="grid justify-items-center gap-2">
          <QrPicture code={code} label="Código QR para tu aplicación de códigos" />
          <p className="text-xs text-muted">
            O escribe esta clave: <code className="break-all text-ink">{seed.secret}</code>
          </p>
        </div>
      ) : (
        <Skeleton className="mx-auto size-60" />
      )}
      <TextField
        name="code"
        label="Código de seis cifras"
        control={form.control}
        autoComplete="one-time-code"
        inputMode="numeric"
      />
    </DialogForm>
  )
}

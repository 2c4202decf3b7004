import { type ComponentProps, type ReactNode, useId, useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import type { Endpoint } from '#contract/endpoint.ts'
import { useRefusal } from '#web/auth/rights.ts'
import { Button } from '#web/ui/Button.tsx'
import { cx } from '#web/ui/cx.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { AskBeforeLosing } from './AskBeforeLosing.tsx'
import { takesFilled } from './filled.ts'
import { type ServerError, useServerErrors } from './server-errors.ts'

interface Props<Values extends FieldValues, Output> {
  title: string
  description?: string
  // biome-ignore lint/suspicious/noExplicitAny: the context of a form is nobody's business here
  form: UseFormReturn<Values, any, Output>
  /** A save is under way. */
  busy: boolean
  /** The error of the save; shown at the fields that the server names. */
  error?: ServerError
  onClose: () => void
  onSubmit: (values: Output) => void
  submit?: string
  submitBusy?: string
  /** What is submitted cannot be undone. */
  danger?: boolean
  /** Why nothing can be saved right now. */
  disabledReason?: string | undefined
  /** What it calls, where it is also how a row is read: who may not change the row reads it here. */
  saves?: Endpoint
  /** Why nobody may change the row as things stand: it can only be read. */
  frozen?: string | undefined
  /** What stands before the fields, and works where they are closed. */
  before?: ReactNode
  size?: ComponentProps<typeof Dialog>['size']
  columns?: 1 | 2
  children: ReactNode
}

export function DialogForm<Values extends FieldValues, Output>({
  title,
  description,
  form,
  busy,
  error,
  onClose,
  onSubmit,
  submit = 'Guardar',
  submitBusy = 'Guardando...',
  danger = false,
  disabledReason,
  saves,
  frozen,
  before,
  size,
  columns = 1,
  children,
}: Props<Values, Output>) {
  const id = useId()
  const refuse = useRefusal()
  const refusal = (saves && refuse(saves)) ?? frozen
  const reason = refusal ?? disabledReason
  const [asking, setAsking] = useState(false)
  const { isDirty } = form.formState
  useServerErrors(form, error)
  const close = () => {
    if (busy) return
    if (isDirty) setAsking(true)
    else onClose()
  }
  return (
    <Dialog
      title={title}
      {...(description && { description })}
      {...(size && { size })}
      onClose={close}
      holdsFields={refusal === undefined}
      footer={
        <>
          <Button onClick={close} disabled={busy}>
            Cancelar
          </Button>
          <Button
            type="submit"
            form={id}
            variant={danger ? 'danger' : 'primary'}
            busy={busy}
            busyText={submitBusy}
            disabledReason={reason}
          >
            {submit}
          </Button>
        </>
      }
    >
      <form
        {...takesFilled(form)}
        id={id}
        noValidate
        onSubmit={(event) => {
          if (busy || reason) event.preventDefault()
          else form.handleSubmit(onSubmit)(event)
        }}
        className={cx('grid grid-cols-1 items-start gap-x-4 gap-y-3 pt-1', columns === 2 && 'sm:grid-cols-2')}
      >
        {refusal && (
          <p className="col-span-full rounded-lg bg-info-soft px-3 py-2 text-info-ink">{`${refusal}. Puedes ver los datos, no cambiarlos.`}</p>
        )}
        {before}
        <fieldset disabled={refusal !== undefined} className="contents">
          {children}
        </fieldset>
      </form>
      {isDirty && <AskBeforeLosing asked={asking} busy={busy} onDiscard={onClose} onStay={() => setAsking(false)} />}
    </Dialog>
  )
}

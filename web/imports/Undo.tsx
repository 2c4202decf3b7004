import { Undo2 } from 'lucide-react'
import { type SubmitEvent, useRef, useState } from 'react'
import { undoOutcomeLabels } from '#contract/import-undo.ts'
import { type ImportDetail, imports } from '#contract/imports.ts'
import { Reason } from '#contract/rulings.ts'
import { useRefusal } from '#web/auth/rights.ts'
import { FieldFrame } from '#web/form/FieldFrame.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { formatDate, formatNumber } from '#web/ui/format.ts'
import { Money } from '#web/ui/Money.tsx'
import { usePreviewUndo, useUndoImport } from './queries.ts'
import { byWhom } from './sentence.ts'

/** What was applied can be undone for a while: first what that would move, then why. */
export function Undo({ file }: { file: ImportDetail }) {
  const preview = usePreviewUndo(file.id)
  const refuse = useRefusal()
  if (file.undone_at)
    return (
      <Card
        title="Esta conciliación se deshizo"
        description={`El ${formatDate(file.undone_at, 'dayTime')} ${byWhom(file.undone_by_name)}: ${file.undo_reason}`}
      >
        <Moves of={file.undo} />
      </Card>
    )
  if (Date.parse(file.undo_until ?? '') < Date.now()) return null
  const until = `Se puede hasta el ${formatDate(file.undo_until ?? '', 'day')}. `
  return (
    <Card
      title="Deshacer"
      description={`${until}Lo que registró deja de contar; lo que ya se pagó se compensa en el siguiente pago.`}
      action={
        <Button
          icon={Undo2}
          busy={preview.isPending}
          busyText="Calculando..."
          onClick={() => preview.mutate(undefined)}
          disabledReason={refuse(imports.previewUndo)}
        >
          {file.previewed_at ? 'Calcular de nuevo' : 'Deshacer esta conciliación'}
        </Button>
      }
    >
      {file.previewed_at && (
        <>
          <Moves of={file.undo} />
          <UndoForm file={file} previewedAt={file.previewed_at} />
        </>
      )}
    </Card>
  )
}

const Moves = ({ of }: { of: ImportDetail['undo'] }) => (
  <ul aria-label="Lo que mueve deshacerla" className="divide-y">
    {of.map(({ undo, rows, amount }) => (
      <li key={undo} className="flex items-baseline py-2">
        <span className="min-w-0 flex-1">{undoOutcomeLabels[undo]}</span>
        <span className="w-12 shrink-0 text-right font-medium tabular-nums">{formatNumber(rows)}</span>
        <Money value={amount} className="w-28 shrink-0 text-right" />
      </li>
    ))}
  </ul>
)

function UndoForm({ file, previewedAt }: { file: ImportDetail; previewedAt: string }) {
  const [reason, setReason] = useState('')
  const [error, setError] = useState<string>()
  const field = useRef<HTMLTextAreaElement>(null)
  const undo = useUndoImport(file.id)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const parsed = Reason.safeParse(reason)
    if (!parsed.success) {
      setError(parsed.error.issues[0]?.message)
      return field.current?.focus()
    }
    undo.mutate({ reason: parsed.data, previewed_at: previewedAt })
  }
  return (
    <form onSubmit={submit} noValidate className="mt-4 grid grid-cols-1 gap-2">
      <FieldFrame label="Por qué se deshace" error={error}>
        {(control) => (
          <textarea
            {...control}
            ref={field}
            rows={2}
            value={reason}
            onChange={(event) => {
              setReason(event.target.value)
              setError(undefined)
            }}
            className="field-box h-auto w-full py-2"
          />
        )}
      </FieldFrame>
      <div className="flex justify-end">
        <Button type="submit" variant="danger" icon={Undo2} busy={undo.isPending} busyText="Deshaciendo...">
          Deshacer ahora
        </Button>
      </div>
    </form>
  )
}

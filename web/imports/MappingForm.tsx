import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { type ImportKey, ImportMapping } from '#contract/import-mapping.ts'
import { type ImportDetail, imports } from '#contract/imports.ts'
import { ApiError } from '#web/api/errors.ts'
import { useRefusal } from '#web/auth/rights.ts'
import { AskBeforeLosing } from '#web/form/AskBeforeLosing.tsx'
import { FieldFrame } from '#web/form/FieldFrame.tsx'
import { rejectReasonsQuery } from '#web/leads/queries.ts'
import { rowParams } from '#web/paths.ts'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { ErrorState } from '#web/ui/EmptyState.tsx'
import { Select } from '#web/ui/Select.tsx'
import { ComparedColumns } from './ComparedColumns.tsx'
import { type Draft, draftOf, mappingOf } from './draft.ts'
import { ProductField } from './ProductField.tsx'
import { useSimulate, valuesQuery } from './queries.ts'
import { ReasonTable } from './ReasonTable.tsx'
import { Sample } from './Sample.tsx'
import { TablePlace } from './TablePlace.tsx'
import { ValueTable } from './ValueTable.tsx'

const keyLabels: Record<ImportKey, string> = {
  tracking_id: 'Tracking ID',
  event_id: 'ID de evento de tu sistema',
  external_id: 'External ID, con su producto',
}
const keyOptions = (Object.keys(keyLabels) as ImportKey[]).map((value) => ({ value, label: keyLabels[value] }))
const NONE = -1

/** What the server says of single fields. */
const errorsOf = (error: Error): Record<string, string> =>
  error instanceof ApiError
    ? Object.fromEntries(Object.entries(error.fieldErrors).map(([field, texts]) => [field, texts.join(', ')]))
    : {}

interface Props {
  file: ImportDetail
  onClose: () => void
  /** It was read in another way, and is another one now. */
  onRead: (id: number) => void
}

/** What the chosen columns hold, and the reasons that it may mean. */
function useContents({ id }: ImportDetail, { status_column, reason_column }: Draft) {
  // One that is not asked would still have what was kept of the same column.
  const values = useQuery({ ...valuesQuery(id, status_column ?? NONE), enabled: status_column !== null })
  const reasons = useQuery({ ...valuesQuery(id, reason_column ?? NONE), enabled: reason_column !== null })
  const codes = useQuery({ ...rejectReasonsQuery(), enabled: reason_column !== null })
  const asked = [values, reasons, codes].filter(({ isEnabled }) => isEnabled)
  const failed = asked.find(({ isLoadingError }) => isLoadingError)
  return {
    values,
    reasons,
    known: codes.data ?? [],
    failed,
    unready: asked.some(({ isLoading }) => isLoading) ? 'Aún se está cargando' : failed?.error?.message,
  }
}

/** Said beside the column, which another one has to replace. */
const isRefused = (error: unknown): boolean => error instanceof ApiError && error.status === 409

/** What the columns and the values of a file mean. */
export function MappingForm({ file, onClose, onRead }: Props) {
  const [first] = useState(() => draftOf(file))
  const [draft, setDraft] = useState(first)
  const [errors, setErrors] = useState<Record<string, string | undefined>>({})
  const change = (changes: Partial<Draft>) => {
    setDraft((known) => ({ ...known, ...changes }))
    setErrors({})
  }
  const { values, reasons, known, failed, unready } = useContents(file, draft)
  const simulate = useSimulate(file.id)
  const form = useRef<HTMLFormElement>(null)
  // The form is longer than a screen: what is wrong may lie out of sight.
  useEffect(() => {
    if (Object.keys(errors).length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [errors])
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const parsed = ImportMapping.safeParse(mappingOf(draft, values.data ?? [], reasons.data ?? [], known))
    if (!parsed.success)
      return setErrors(Object.fromEntries(parsed.error.issues.map(({ path, message }) => [String(path[0]), message])))
    simulate.mutate(parsed.data, { onSuccess: onClose, onError: (error) => setErrors(errorsOf(error)) })
  }
  const columns = file.header.map((label, value) => ({ value, label }))
  return (
    <form ref={form} onSubmit={submit} noValidate className="grid grid-cols-1 gap-6">
      {file.remembered && (
        <p role="status" className="text-muted">
          Es como en tu último archivo con las mismas columnas; cámbialo si ya no vale.
        </p>
      )}
      <Card title="Así empieza el archivo">
        <Sample file={file} />
        <TablePlace file={file} onRead={onRead} />
      </Card>
      <Card title="Qué dice cada columna">
        <div className="grid grid-cols-1 gap-x-6 gap-y-2 sm:grid-cols-2">
          <FieldFrame label="Columna del lead" error={errors.key_column}>
            {(control) => (
              <Select
                {...control}
                options={columns}
                value={draft.key_column}
                onChange={(key_column) => change({ key_column })}
              />
            )}
          </FieldFrame>
          <FieldFrame label="Qué contiene" error={errors.key}>
            {(control) => (
              <Select {...control} options={keyOptions} value={draft.key} onChange={(key) => change({ key })} />
            )}
          </FieldFrame>
          {draft.key === 'external_id' && (
            <ProductField
              issuerId={file.issuer_id}
              value={draft.product_id}
              error={errors.product_id}
              onChange={(product_id) => change({ product_id })}
            />
          )}
          <FieldFrame label="Columna del estado" error={errors.status_column ?? values.error?.message}>
            {(control) => (
              <Select
                {...control}
                options={columns}
                value={draft.status_column}
                onChange={(status_column) => change({ status_column })}
              />
            )}
          </FieldFrame>
          <FieldFrame
            label="Columna del motivo de rechazo"
            optional
            error={errors.reason_column ?? reasons.error?.message}
          >
            {(control) => (
              <Select
                {...control}
                options={[{ value: NONE, label: 'Ninguna' }, ...columns]}
                value={draft.reason_column ?? NONE}
                onChange={(column) => change({ reason_column: column === NONE ? null : column })}
              />
            )}
          </FieldFrame>
        </div>
        <Restores checked={draft.restores} onChange={(restores) => change({ restores })} />
      </Card>
      <ComparedColumns file={file} draft={draft} errors={errors} onChange={change} />
      {values.data && (
        <Card
          title="Qué significa cada estado"
          description="Cada valor del archivo se asigna a un paso, a un rechazo o se ignora."
        >
          <ValueTable draft={draft} values={values.data} asks={errors.values !== undefined} onChange={change} />
          {errors.values && (
            <p role="alert" className="mt-3 text-danger-ink">
              {errors.values}
            </p>
          )}
        </Card>
      )}
      {reasons.data && (
        <Card title="Motivos de rechazo" description="Lo que no se asigne queda como «Sin motivo informado».">
          <ReasonTable draft={draft} values={reasons.data} known={known} onChange={change} />
        </Card>
      )}
      {failed && !isRefused(failed.error) && (
        <ErrorState text="Error al cargar lo que dice el archivo" query={failed} />
      )}
      <Actions
        file={file}
        isDirty={!simulate.isSuccess && JSON.stringify(draft) !== JSON.stringify(first)}
        unready={unready}
        busy={simulate.isPending}
        onClose={onClose}
      />
    </form>
  )
}

interface ActionsProps extends Omit<Props, 'onRead'> {
  isDirty: boolean
  /** What is not there would count as not assigned. */
  unready: string | undefined
  busy: boolean
}

function Actions({ file, isDirty, unready, busy, onClose }: ActionsProps) {
  const [asking, setAsking] = useState(false)
  const refuse = useRefusal()
  return (
    <div className="flex flex-wrap justify-end gap-2">
      {file.simulated_at !== null && (
        <Button onClick={() => (isDirty ? setAsking(true) : onClose())} disabled={busy}>
          Cancelar
        </Button>
      )}
      <Button
        type="submit"
        variant="primary"
        busy={busy}
        busyText="Guardando..."
        disabledReason={refuse(imports.map) ?? unready}
      >
        Simular
      </Button>
      {isDirty && (
        <AskBeforeLosing
          asked={asking}
          busy={busy}
          param={rowParams.file}
          onDiscard={onClose}
          onStay={() => setAsking(false)}
        />
      )}
    </div>
  )
}

function Restores({ checked, onChange }: { checked: boolean; onChange: (is: boolean) => void }) {
  return (
    <label className="mt-2 flex min-h-11 items-center gap-2.5 sm:min-h-0">
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="size-5 shrink-0 accent-brand"
      />
      Reactivar los leads que se rechazaron antes y el archivo aprueba
    </label>
  )
}

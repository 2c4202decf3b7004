import { useQuery } from '@tanstack/react-query'
import { FileUp, X } from 'lucide-react'
import { type DragEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { imports } from '#contract/imports.ts'
import { ApiError } from '#web/api/errors.ts'
import { useRefusal } from '#web/auth/rights.ts'
import { AskBeforeLosing } from '#web/form/AskBeforeLosing.tsx'
import { FieldFrame } from '#web/form/FieldFrame.tsx'
import { issuerOptionsQuery } from '#web/issuers/queries.ts'
import { rowParams } from '#web/paths.ts'
import { IdFilter } from '#web/table/IdFilter.tsx'
import { Button } from '#web/ui/Button.tsx'
import { cx } from '#web/ui/cx.ts'
import { formatBytes } from '#web/ui/format.ts'
import { Select } from '#web/ui/Select.tsx'
import { useUpload } from './queries.ts'

const NO_ISSUER = 'Elige primero el emisor'
const ABOUT_UPLOAD = {
  title: '¿Dejar de subir el archivo?',
  text: 'Aún no termina de subir: si sales, tendrás que subirlo otra vez.',
  confirm: 'Dejar de subir',
  cancel: 'Seguir subiendo',
}

interface Props {
  isAdmin: boolean
  onReceived: (id: number) => void
}

/** A place for a file: chosen by a button, or dropped. An administrator says whose leads it is about. */
export function UploadCard({ isAdmin, onReceived }: Props) {
  const [issuer, setIssuer] = useState('')
  const [over, setOver] = useState(false)
  const [dropped, setDropped] = useState<string>()
  const [sending, setSending] = useState<File>()
  const input = useRef<HTMLInputElement>(null)
  const stop = useRef<AbortController>(undefined)
  useEffect(() => () => stop.current?.abort(), [])
  const upload = useUpload()
  const received = upload.data?.id
  const open = useEffectEvent(onReceived)
  // Not in the answer's own callback, when the question before leaving still stands in the way.
  useEffect(() => {
    if (received !== undefined) open(received)
  }, [received])
  const refuse = useRefusal()
  const hint = useId()
  const refusal = refuse(imports.create)
  const ready = !refusal && (!isAdmin || issuer !== '')
  const send = (file: File | undefined, sheet?: string) => {
    if (!file || !ready || upload.isPending) return
    stop.current = new AbortController()
    setSending(file)
    setDropped(undefined)
    upload.mutate({ file, sheet, issuer_id: issuer === '' ? undefined : Number(issuer), signal: stop.current.signal })
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const { files } = event.dataTransfer
    if (!ready) setDropped(refusal ?? `${NO_ISSUER} y vuelve a soltar el archivo`)
    else if (upload.isPending) setDropped('Espera a que termine de subir el otro')
    else if (files.length > 1) setDropped('Suelta un archivo a la vez')
    else send(files[0])
  }
  return (
    <section
      aria-label="Subir un archivo"
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={cx(
        'mb-6 flex flex-wrap items-center justify-between gap-4 rounded-xl border border-dashed p-5',
        over ? 'border-brand bg-brand-soft' : 'bg-surface',
      )}
    >
      <div className="min-w-0 flex-1 basis-64">
        <h2 className="text-base font-semibold">Subir un archivo</h2>
        <p id={hint} className="mt-0.5 text-muted">
          CSV, o Excel (.xlsx) de hasta 200,000 renglones, con los nombres de las columnas arriba de la tabla.{' '}
          <span className="pointer-coarse:hidden">También puedes soltarlo aquí.</span>
        </p>
      </div>
      <div className="flex max-w-full flex-wrap items-center gap-2">
        {isAdmin && (
          <IssuerChoice
            value={issuer}
            onChange={(id) => {
              setIssuer(id)
              setDropped(undefined)
            }}
          />
        )}
        <input
          ref={input}
          type="file"
          accept=".csv,.txt,.tsv,.xlsx"
          aria-label="Archivo de conciliación"
          className="sr-only"
          tabIndex={-1}
          onChange={(event) => {
            send(event.target.files?.[0])
            // The same file may be chosen again.
            event.target.value = ''
          }}
        />
        <Button
          variant="primary"
          icon={FileUp}
          aria-describedby={hint}
          busy={upload.isPending}
          busyText={`Subiendo${sending ? ` ${formatBytes(sending.size)}` : ''}...`}
          disabledReason={ready ? undefined : (refusal ?? NO_ISSUER)}
          onClick={() => input.current?.click()}
        >
          Elegir archivo
        </Button>
        {upload.isPending && (
          <Button icon={X} onClick={() => stop.current?.abort()}>
            Cancelar
          </Button>
        )}
      </div>
      {dropped && (
        <p role="alert" className="w-full text-danger-ink">
          {dropped}
        </p>
      )}
      {upload.error && !stop.current?.signal.aborted && (
        <p role="alert" className="w-full text-danger-ink">
          {upload.error.message}
        </p>
      )}
      {upload.error instanceof ApiError && upload.error.choices.length > 0 && (
        <SheetChoice sheets={upload.error.choices} onChosen={(sheet) => send(sending, sheet)} />
      )}
      {upload.isPending && (
        <AskBeforeLosing param={rowParams.file} question={ABOUT_UPLOAD} onDiscard={() => stop.current?.abort()} />
      )}
    </section>
  )
}

/** Asked of a file of Excel with several sheets. */
function SheetChoice({ sheets, onChosen }: { sheets: string[]; onChosen: (sheet: string) => void }) {
  const [sheet, setSheet] = useState(sheets[0] ?? '')
  return (
    <div className="flex w-full flex-wrap items-end gap-2">
      <div className="min-w-0 basis-64">
        <FieldFrame label="Hoja del archivo">
          {(control) => (
            <Select
              {...control}
              options={sheets.map((name) => ({ value: name, label: name }))}
              value={sheet}
              onChange={setSheet}
            />
          )}
        </FieldFrame>
      </div>
      <Button onClick={() => onChosen(sheet)}>Leer esta hoja</Button>
    </div>
  )
}

function IssuerChoice({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const issuers = useQuery(issuerOptionsQuery())
  return (
    <IdFilter
      label="Emisor del archivo"
      placeholder="Elige el emisor"
      options={issuers.data}
      value={value}
      onChange={onChange}
    />
  )
}

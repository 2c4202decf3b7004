import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { exports } from '#contract/exports.ts'
import { type ImportDetail, imports, isWorking } from '#contract/imports.ts'
import { useRefusal } from '#web/auth/rights.ts'
import { Page } from '#web/shell/Page.tsx'
import { ExportMenu } from '#web/table/ExportMenu.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { cx } from '#web/ui/cx.ts'
import { ErrorState } from '#web/ui/EmptyState.tsx'
import { counted, formatBytes } from '#web/ui/format.ts'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { MappingForm } from './MappingForm.tsx'
import { importQuery, useDiscardImport } from './queries.ts'
import { Review } from './Review.tsx'
import { useRefreshWhenApplied } from './use-refresh-when-applied.ts'

const STEPS = ['Archivo', 'Columnas', 'Revisión', 'Resultado'] as const

const placeOf = ({ status }: ImportDetail, isMapping: boolean): number => {
  if (isMapping || status === 'received') return 1
  return status === 'simulating' || status === 'simulated' ? 2 : 3
}

interface Props {
  id: number
  onClose: () => void
  /** It is gone, and what was typed about it with it. */
  onDiscarded: () => void
  /** It was read in another way, and is another one now. */
  onRead: (id: number) => void
}

/** One file on its way: what its columns mean, what would come of it, what came of it. */
export function ImportView({ id, onClose, onDiscarded, onRead }: Props) {
  const one = useQuery(importQuery(id))
  const [isMapping, setMapping] = useState(false)
  const file = one.data
  useRefreshWhenApplied(file ? [file] : [])
  const step = useFocusOnStep(file && placeOf(file, isMapping))
  return (
    <Page
      title={file?.file_name ?? 'Conciliación'}
      description={
        file && `${file.issuer_name} · ${counted(file.rows, 'renglón', 'renglones')} · ${formatBytes(file.bytes)}`
      }
      action={
        <>
          <Button icon={ArrowLeft} onClick={onClose}>
            Todos los archivos
          </Button>
          {file?.applied_at === null && <Discard file={file} onDone={onDiscarded} />}
          {file?.simulated_at && !isWorking(file.status) && <ExportMenu of={exports.importRows} params={{ id }} />}
        </>
      }
    >
      {one.isError && <ErrorState text="Error al cargar la conciliación" query={one} />}
      {one.isPending && <Skeleton className="h-64 w-full" />}
      {file && (
        <>
          <Steps at={placeOf(file, isMapping)} />
          <div ref={step} tabIndex={-1} className="outline-none">
            <Current file={file} isMapping={isMapping} setMapping={setMapping} onRead={onRead} />
          </div>
        </>
      )}
    </Page>
  )
}

/** What had the focus is gone with its step: reading goes on where the next one begins. */
function useFocusOnStep(at: number | undefined) {
  const step = useRef<HTMLDivElement>(null)
  const known = useRef<number>(undefined)
  useEffect(() => {
    const isNext = known.current !== undefined && known.current !== at
    if (isNext && document.activeElement === document.body) step.current?.focus({ preventScroll: true })
    known.current = at
  }, [at])
  return step
}

interface CurrentProps {
  file: ImportDetail
  isMapping: boolean
  setMapping: (is: boolean) => void
  onRead: (id: number) => void
}

function Current({ file, isMapping, setMapping, onRead }: CurrentProps) {
  if (isWorking(file.status)) return <Working file={file} />
  if (isMapping || file.status === 'received')
    return <MappingForm file={file} onClose={() => setMapping(false)} onRead={onRead} />
  return <Review file={file} onMap={() => setMapping(true)} />
}

function Steps({ at }: { at: number }) {
  return (
    <ol aria-label="Pasos" className="mb-6 flex flex-wrap gap-x-6 gap-y-2">
      {STEPS.map((step, index) => (
        <li
          key={step}
          aria-current={index === at ? 'step' : undefined}
          className={cx('flex items-center gap-2', index === at ? 'font-medium text-ink' : 'text-muted')}
        >
          <span
            aria-hidden
            className={cx(
              'flex size-6 items-center justify-center rounded-full text-xs tabular-nums',
              index <= at ? 'bg-brand-soft text-brand-ink' : 'bg-sunken text-muted',
            )}
          >
            {index + 1}
          </span>
          <span className={cx(index !== at && 'max-sm:sr-only')}>{step}</span>
        </li>
      ))}
    </ol>
  )
}

const works: Partial<Record<ImportDetail['status'], string>> = {
  applying: 'Aplicando los cambios',
  previewing: 'Calculando qué movería deshacerla',
  undoing: 'Deshaciendo',
}

function Working({ file: { status, progress } }: { file: ImportDetail }) {
  const percent = Math.floor(progress * 100)
  const title = works[status] ?? 'Simulando'
  return (
    <Card title={title} description="Puedes cerrar esta página: el trabajo sigue, aunque el servidor se reinicie.">
      <div
        role="progressbar"
        aria-label={title}
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
        className="h-2 overflow-hidden rounded-full bg-sunken"
      >
        <div className="h-full rounded-full bg-brand transition-[width]" style={{ width: `${percent}%` }} />
      </div>
      <p role="status" className="mt-2 text-muted tabular-nums">{`${percent} %`}</p>
    </Card>
  )
}

function Discard({ file, onDone }: { file: ImportDetail; onDone: () => void }) {
  const [asking, setAsking] = useState(false)
  const discard = useDiscardImport()
  const refuse = useRefusal()
  return (
    <>
      <Button icon={Trash2} onClick={() => setAsking(true)} disabledReason={refuse(imports.discard)}>
        Descartar
      </Button>
      {asking && (
        <ConfirmDialog
          title="Descartar archivo"
          confirm="Descartar"
          danger
          busy={discard.isPending}
          busyText="Descartando..."
          onConfirm={() => discard.mutate(file.id, { onSuccess: onDone })}
          onClose={() => setAsking(false)}
        >
          {`${file.file_name} no se ha aplicado. Sus renglones se borran; puedes subirlo otra vez.`}
        </ConfirmDialog>
      )}
    </>
  )
}

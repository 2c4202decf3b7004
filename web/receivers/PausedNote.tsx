import type { Receiver } from '#contract/receivers.ts'
import { Button } from '#web/ui/Button.tsx'
import { cx } from '#web/ui/cx.ts'
import { LongDayTime } from '#web/ui/dates.tsx'
import { counted } from '#web/ui/format.ts'

interface Props {
  receiver: Receiver
  busy: boolean
  /** Why this person may not resume it. */
  refusal: string | undefined
  onResume: () => void
}

/** Why nothing goes out to a receiver, and what to do. */
export function PausedNote({ receiver, busy, refusal, onResume }: Props) {
  const { name, state, reason } = receiver
  if (state !== 'paused') return null
  const look = reason === 'person' ? 'border-info-soft bg-info-soft text-info-ink' : 'bg-danger-soft text-danger-ink'
  return (
    <section
      aria-label={`${name} está en pausa`}
      className={cx('mb-4 flex flex-wrap items-center justify-between gap-3 rounded-xl border p-4', look)}
    >
      <p className="min-w-0 flex-1 basis-64">
        <strong className="font-semibold">{name}.</strong> <Paused {...receiver} />
      </p>
      <Button onClick={onResume} busy={busy} busyText="Reanudando..." disabledReason={refusal}>
        Reanudar
      </Button>
    </section>
  )
}

/** Since when, by what or whom, and what to do. */
export function Paused({ reason, paused_at, paused_by, waiting }: Receiver) {
  const since = <LongDayTime value={paused_at} />
  const waits = waiting > 0 && `${waiting === 1 ? 'Espera' : 'Esperan'} ${counted(waiting, 'entrega', 'entregas')}. `
  if (reason === 'person')
    return (
      <>
        En pausa por {paused_by} desde el {since}, sin que nada fallara. {waits}
        Lo que pase espera hasta 30 días y sale al pulsar «Reanudar».
      </>
    )
  return (
    <>
      En pausa desde el {since}:{' '}
      {reason === 'gone' ? 'respondió 410 (ya no existe)' : '72 horas sin una respuesta correcta'}. {waits}
      Corrige la dirección y pulsa «Reanudar».
    </>
  )
}

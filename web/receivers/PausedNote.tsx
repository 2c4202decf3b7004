import type { Receiver } from '#contract/receivers.ts'
import { Button } from '#web/ui/Button.tsx'
import { LongDayTime } from '#web/ui/dates.tsx'
import { counted } from '#web/ui/format.ts'

interface Props {
  receiver: Receiver
  busy: boolean
  onResume: () => void
}

/** Why nothing goes out to a receiver, and what to do. */
export function PausedNote({ receiver: { name, state, reason, paused_at, waiting }, busy, onResume }: Props) {
  if (state !== 'paused') return null
  return (
    <section
      aria-label={`${name} está en pausa`}
      className="mb-4 flex flex-wrap items-center justify-between gap-3 rounded-xl border bg-danger-soft p-4 text-danger-ink"
    >
      <p className="min-w-0 flex-1 basis-64">
        <strong className="font-semibold">{name}.</strong> En pausa desde el <LongDayTime value={paused_at} />:{' '}
        {reason === 'gone' ? 'respondió 410 (ya no existe)' : '72 horas sin una respuesta correcta'}.{' '}
        {waiting > 0 && `${waiting === 1 ? 'Espera' : 'Esperan'} ${counted(waiting, 'entrega', 'entregas')}. `}
        Corrige la dirección y pulsa «Reanudar».
      </p>
      <Button onClick={onResume} busy={busy} busyText="Reanudando...">
        Reanudar
      </Button>
    </section>
  )
}

import { useQuery } from '@tanstack/react-query'
import { type NoticeChoice, NoticeMail, noticeLabels, noticeMailLabels, notices } from '#contract/notices.ts'
import { useRefusal } from '#web/auth/rights.ts'
import { Card } from '#web/ui/Card.tsx'
import { ErrorState } from '#web/ui/EmptyState.tsx'
import { Select } from '#web/ui/Select.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { noticeChoicesQuery, useChoose } from './queries.ts'

/** What the person wants to hear of, and how. */
export function NoticesCard() {
  const query = useQuery(noticeChoicesQuery)
  const { data } = query
  const refusal = useRefusal()(notices.choose)
  return (
    <Card
      title="Avisos"
      description="De qué te avisamos en Afluente y por correo. Los resúmenes salen a las 8:00, hora de la Ciudad de México; el semanal, los lunes."
    >
      {data && !data.mails && (
        <p role="note" className="mb-4 rounded-lg bg-sunken px-3 py-2 text-muted">
          El correo no está configurado en esta instalación: por ahora solo te avisamos en Afluente.
        </p>
      )}
      {refusal && <p className="mb-4 rounded-lg bg-info-soft px-3 py-2 text-info-ink">{`${refusal}.`}</p>}
      {data ? (
        <fieldset disabled={refusal !== undefined} className="contents">
          <ul aria-label="Avisos" className="divide-y">
            {data.choices.map((choice) => (
              <ChoiceLine key={choice.type} choice={choice} mails={data.mails} />
            ))}
          </ul>
        </fieldset>
      ) : query.isError ? (
        <ErrorState text="No se pudieron cargar tus avisos" query={query} />
      ) : (
        <p role="status" className="grid gap-4">
          <span className="sr-only">Cargando tus avisos...</span>
          <Skeleton className="h-9 w-full" />
          <Skeleton className="h-9 w-full" />
          <Skeleton className="h-9 w-full" />
        </p>
      )}
    </Card>
  )
}

const mailOptions = NoticeMail.options.map((value) => ({ value, label: noticeMailLabels[value] }))

function ChoiceLine({ choice, mails }: { choice: NoticeChoice; mails: boolean }) {
  const { type, is_fixed } = choice
  const { mutate, isPending, variables } = useChoose(type)
  // What was just chosen shows at once, and goes back where it could not be saved.
  const shown = isPending ? variables : choice
  const { in_product, mail } = shown
  const label = noticeLabels[type]
  return (
    <li className="flex min-h-13 flex-wrap items-center gap-x-6 gap-y-2 py-2 first:pt-0 last:pb-0">
      <span className="min-w-0 flex-1 basis-40 font-medium">{label}</span>
      {is_fixed ? (
        <span className="text-muted">
          {mails ? 'Siempre, en Afluente y por correo' : 'Siempre en Afluente'}: es de seguridad
        </span>
      ) : (
        <>
          <label className="flex min-h-9 items-center gap-2.5 max-sm:min-h-11">
            <input
              type="checkbox"
              checked={in_product}
              aria-label={`${label}: en Afluente`}
              onChange={(event) => mutate({ ...shown, in_product: event.target.checked })}
              className="size-4 shrink-0 accent-brand"
            />
            En Afluente
          </label>
          {mails && (
            <span className="flex items-center gap-2.5">
              Correo
              <Select
                aria-label={`${label}: correo`}
                options={mailOptions}
                value={mail}
                onChange={(next) => mutate({ ...shown, mail: next })}
                className="w-44"
              />
            </span>
          )}
        </>
      )}
    </li>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { PreviewForm } from '#contract/receivers.ts'
import { LongDayTime } from '#web/ui/dates.tsx'
import { previewQuery } from './queries.ts'

interface Props {
  url: string
  method: string
  status_map: Record<string, string>
}

/** What would be sent of a lead of one's own, as it is typed; nothing while the address is not complete. */
export function Preview(props: Props) {
  const form = PreviewForm.safeParse(useDeferredValue(props))
  const good = form.data ?? { url: '', method: 'GET' as const }
  const preview = useQuery({ ...previewQuery(good), enabled: form.success })
  if (!form.success || !preview.data) return null
  const { url, body, clicked_at } = preview.data
  return (
    <section aria-label="Vista previa" className="mb-3 min-w-0 sm:col-span-2">
      <p className="mb-1 text-xs text-muted">
        {clicked_at ? (
          <>
            Así quedaría con tu lead del <LongDayTime value={clicked_at} />
          </>
        ) : (
          'Así quedaría con un lead de ejemplo'
        )}
      </p>
      <code className="block rounded-lg bg-sunken p-2 text-xs break-all whitespace-pre-wrap">
        {url}
        {body && `\n\n${body}`}
      </code>
    </section>
  )
}

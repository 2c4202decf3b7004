import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { accessLinks, type LinkRequest } from '#contract/access-links.ts'
import { useRefusal } from '#web/auth/rights.ts'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { DayTime, RelativeTime } from '#web/ui/dates.tsx'
import { laterDialog } from '#web/ui/later.tsx'
import { linkRequestsQuery } from './queries.ts'

const GiveLinkDialog = laterDialog(async () => (await import('./LinkDialogs.tsx')).GiveLinkDialog)

/** Who asked for a link that no mail brings; nothing while there is nobody. */
export function LinkRequests() {
  const { data: requests = [] } = useQuery(linkRequestsQuery())
  const [open, setOpen] = useState<LinkRequest>()
  const refuse = useRefusal()
  if (!requests.length && !open) return null
  return (
    <Card title="Piden un enlace para entrar" className="mb-4">
      <ul aria-label="Piden un enlace para entrar" className="divide-y">
        {requests.map((request) => (
          <li key={request.user_id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-2 first:pt-0 last:pb-0">
            <span className="min-w-0 flex-1 basis-60">
              <span className="font-medium">{request.full_name}</span>{' '}
              <span className="wrap-anywhere text-muted">
                {request.email} · <DayTime value={request.asked_at} /> · <RelativeTime value={request.asked_at} />
              </span>
            </span>
            <Button
              size="sm"
              onClick={() => setOpen(request)}
              disabledReason={refuse(accessLinks.create)}
              aria-label={`Dar un enlace a ${request.full_name}`}
            >
              Dar enlace
            </Button>
          </li>
        ))}
      </ul>
      {open && <GiveLinkDialog user={{ ...open, id: open.user_id }} onClose={() => setOpen(undefined)} />}
    </Card>
  )
}

import { Popover } from '@base-ui/react/popover'
import { useQueryClient } from '@tanstack/react-query'
import { Bell as BellIcon, BellOff } from 'lucide-react'
import { type RefObject, useRef, useState } from 'react'
import { Link } from 'react-router'
import { NOTICES_SHOWN, type Notice, notices } from '#contract/notices.ts'
import type { Role } from '#contract/roles.ts'
import { useRefusal } from '#web/auth/rights.ts'
import { Button } from '#web/ui/Button.tsx'
import { cx } from '#web/ui/cx.ts'
import { DayTime, RelativeTime } from '#web/ui/dates.tsx'
import { EmptyState, ErrorState } from '#web/ui/EmptyState.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { Tooltip } from '#web/ui/Tooltip.tsx'
import { pathOfNotice, useFreshNotices, useNotices, useReadNotices } from './notices.ts'

/** What the person was told of: how much of it is new, and the last of it. */
export function Bell({ role }: { role: Role }) {
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const unread = useFreshNotices().data?.unread ?? 0
  const count = unread < NOTICES_SHOWN ? String(unread) : `${NOTICES_SHOWN}+`
  return (
    <>
      <Tooltip text="Avisos">
        <button
          ref={button}
          type="button"
          aria-label={unread > 0 ? `Avisos, ${count} sin leer` : 'Avisos'}
          aria-haspopup="dialog"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="relative inline-flex size-8 shrink-0 items-center justify-center rounded-md text-muted transition-colors max-sm:size-11 hover:bg-hover hover:text-ink"
        >
          <BellIcon aria-hidden className="size-4" />
          {unread > 0 && (
            <span
              aria-hidden
              className="absolute top-0 left-1/2 min-w-4 sm:-top-0.5 rounded-full bg-brand px-1 text-center text-[0.625rem]/4 font-semibold text-on-brand tabular-nums"
            >
              {count}
            </span>
          )}
        </button>
      </Tooltip>
      {open && <Popup role={role} anchor={button} onClose={() => setOpen(false)} />}
    </>
  )
}

interface Props {
  role: Role
  anchor: RefObject<HTMLButtonElement | null>
  onClose: () => void
}

/** Open for as long as it is mounted. */
function Popup({ role, anchor, onClose }: Props) {
  const popup = useRef<HTMLDivElement>(null)
  return (
    <Popover.Root
      open
      onOpenChange={(open, { event }) => {
        // The button closes it by itself.
        if (!open && !anchor.current?.contains(event.target as Node | null)) onClose()
      }}
    >
      <Popover.Portal>
        <Popover.Positioner anchor={anchor} align="end" sideOffset={6} collisionPadding={8} className="z-50">
          <Popover.Popup
            ref={popup}
            initialFocus={popup}
            finalFocus={anchor}
            className="popup flex max-h-(--available-height) w-[min(26rem,calc(100vw-1rem))] flex-col p-0 outline-none sm:max-h-[min(36rem,var(--available-height))]"
          >
            <Contents role={role} onClose={onClose} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}

function Contents({ role, onClose }: Pick<Props, 'role' | 'onClose'>) {
  const query = useNotices()
  const read = useReadNotices()
  const refusal = useRefusal()(notices.read)
  const client = useQueryClient()
  const { results, unread } = query.data ?? { results: [], unread: 0 }
  const newest = results[0]?.id
  const follow = (notice: Notice, to: string) => {
    // What is kept may be of before it happened. The screen that is left needs nothing new.
    const isLeaving = to.split('?')[0] !== location.pathname
    void client.invalidateQueries({ refetchType: isLeaving ? 'none' : 'active' })
    if (!notice.is_read && !refusal) read.mutate({ through: notice.id, only: true })
    onClose()
  }
  return (
    <>
      <div className="flex min-h-12 items-center justify-between gap-3 border-b px-4">
        <Popover.Title className="text-base font-semibold">Avisos</Popover.Title>
        {newest !== undefined && unread > 0 && (
          <Button
            variant="ghost"
            size="sm"
            busy={read.isPending}
            busyText="Marcando..."
            disabledReason={refusal}
            onClick={() => read.mutate({ through: newest })}
          >
            Marcar todo como leído
          </Button>
        )}
      </div>
      <div className="min-h-0 overflow-y-auto">
        {query.data === undefined && query.isError && (
          <ErrorState text="No se pudieron cargar tus avisos" query={query} />
        )}
        {query.data === undefined && !query.isError && <Loading />}
        {query.data && results.length === 0 && (
          <EmptyState icon={BellOff} text="No tienes avisos" hint="Aquí verás lo que pase con tu cuenta." />
        )}
        {results.length > 0 && (
          <ul aria-label="Avisos" className="divide-y">
            {results.map((notice) => (
              <Line
                key={notice.id}
                notice={notice}
                to={pathOfNotice(notice, role)}
                onFollow={(to) => follow(notice, to)}
              />
            ))}
          </ul>
        )}
      </div>
    </>
  )
}

function Line({ notice, to, onFollow }: { notice: Notice; to: string; onFollow: (to: string) => void }) {
  return (
    <li>
      <Link to={to} onClick={() => onFollow(to)} className="flex gap-3 px-4 py-3 -outline-offset-2 hover:bg-hover">
        <span
          aria-hidden
          className={cx('mt-1.5 size-2 shrink-0 rounded-full', notice.is_read ? 'bg-transparent' : 'bg-brand')}
        />
        <span className="min-w-0">
          {!notice.is_read && <span className="sr-only">Sin leer: </span>}
          <span className={cx('block wrap-anywhere', !notice.is_read && 'font-medium')}>{notice.text}</span>
          <span className="block text-xs text-muted">
            <DayTime value={notice.created_at} /> · <RelativeTime value={notice.created_at} />
          </span>
        </span>
      </Link>
    </li>
  )
}

const Loading = () => (
  <div role="status" className="grid gap-4 p-4">
    <span className="sr-only">Cargando avisos...</span>
    {[1, 2, 3].map((line) => (
      <div key={line} className="grid gap-2">
        <Skeleton className="w-full" />
        <Skeleton className="h-3 w-32" />
      </div>
    ))}
  </div>
)

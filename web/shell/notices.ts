import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type Notice, type NoticesRead, type NoticeType, notices } from '#contract/notices.ts'
import type { Role } from '#contract/roles.ts'
import { call } from '#web/api/client.ts'
import { keys } from '#web/api/queries.ts'
import { MINUTE_MS, useSave } from '#web/api/query-client.ts'
import { paths, rowParams } from '#web/paths.ts'

/** A screen that nobody touches for so long asks no more: it would keep its session open for ever. */
const TOUCHED_WITHIN_MS = 30 * MINUTE_MS

const noticesQuery = queryOptions({
  queryKey: keys.notices,
  queryFn: ({ signal }) => call(notices.list, { signal }),
  staleTime: 0,
  refetchOnWindowFocus: true,
  meta: { quiet: true },
})

export const useNotices = () => useQuery(noticesQuery)

/** Asks each minute while somebody is there. */
export function useFreshNotices() {
  const query = useNotices()
  const { refetch } = query
  useEffect(() => {
    let touched = Date.now()
    const touch = () => {
      touched = Date.now()
    }
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible' && Date.now() - touched < TOUCHED_WITHIN_MS) void refetch()
    }, MINUTE_MS)
    addEventListener('pointerdown', touch)
    addEventListener('keydown', touch)
    return () => {
      clearInterval(timer)
      removeEventListener('pointerdown', touch)
      removeEventListener('keydown', touch)
    }
  }, [refetch])
  return query
}

export const useReadNotices = () =>
  useSave({
    save: (body: Pick<NoticesRead, 'through'> & { only?: boolean }) => call(notices.read, { body }),
    success: () => undefined,
    refreshes: [keys.notices],
  })

const at = (path: string, name: string, value: number | string | null) =>
  value === null ? path : `${path}?${name}=${value}`

type Leads = (notice: Notice, role: Role) => string
const settings: Leads = (_, role) => paths[role].settings
const receivers: Leads = (_, role) => paths[role].receivers
const payments: Leads = ({ payment }, role) => at(paths[role].payments, rowParams.payment, payment)
const products: Leads = ({ issuer }) => at(paths.affiliate.products, 'emisor', issuer)

/** To where a held commission can be let go: its lead or, of several and of a bonus, what the audit trail says. */
const held = ({ lead }: Notice, action: 'hold' | 'release') =>
  lead === null ? at(paths.admin.audit, 'accion', action) : at(paths.admin.leads, rowParams.lead, lead)

const leads: Record<NoticeType, Leads> = {
  'commission.accrued': () => paths.affiliate.commissions,
  'commission.reversed': ({ lead }) =>
    lead === null ? paths.affiliate.commissions : at(paths.affiliate.leads, rowParams.lead, lead),
  'lead.rejected': () => at(paths.affiliate.leads, 'state', 'rejected'),
  'hold.opened': (notice, role) =>
    role === 'admin' ? held(notice, 'hold') : at(paths.affiliate.commissions, 'situacion', 'held'),
  'hold.released': (notice, role) => (role === 'admin' ? held(notice, 'release') : paths.affiliate.commissions),
  'payment.created': payments,
  'payment.paid': payments,
  'payment.cancelled': payments,
  'commission.changed': products,
  'term.changed': products,
  'product.paused': () => paths.affiliate.products,
  'product.resumed': products,
  'relationship.ended': () => paths.affiliate.issuers,
  'relationship.started': () => paths.affiliate.issuers,
  'link.faulty': products,
  'issuer.silent': ({ issuer }, role) =>
    role === 'issuer' ? paths.issuer.integration : at(paths.admin.leads, 'issuer_id', issuer),
  'events.refused': () => paths.issuer.integration,
  'receiver.failing': receivers,
  'receiver.paused': receivers,
  'receiver.changed': receivers,
  'key.shown': settings,
  'key.rotated': settings,
  'access.asked': () => paths.admin.users,
  'device.new': settings,
  'factor.added': settings,
  'factor.removed': settings,
}

/** The screen on which more of it can be seen. A tab that is older than the server meets types that it does not know. */
export const pathOfNotice = (notice: Notice, role: Role): string =>
  (leads as Partial<typeof leads>)[notice.type]?.(notice, role) ?? paths[role].dashboard

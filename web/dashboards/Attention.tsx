import { useQuery } from '@tanstack/react-query'
import { BadgeCheck, CircleCheck, CircleDollarSign, HandCoins, type LucideIcon, Radio } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { CHANGED_SINCE_MADE } from '#contract/payment-texts.ts'
import type { Attention as Waiting } from '#contract/summary.ts'
import { rangeText } from '#web/charts/comparison.ts'
import { heldText } from '#web/ledger/held.ts'
import { paths } from '#web/paths.ts'
import { Card } from '#web/ui/Card.tsx'
import { ErrorState } from '#web/ui/EmptyState.tsx'
import { formatMoney, formatNumber } from '#web/ui/format.ts'
import { ListSkeleton } from './ListSkeleton.tsx'
import { summaryQuery } from './queries.ts'

type Side = 'admin' | 'issuer'

/** What waits for somebody of this role. */
export function Attention({ of }: { of: Side }) {
  const query = useQuery(summaryQuery())
  const { data } = query
  const items = data?.attention && itemsOf(data.attention, of)
  return (
    <Card title="Por atender">
      {!items && query.isError && <ErrorState text="Error al cargar lo que hay por atender" query={query} />}
      {!items && !query.isError && <ListSkeleton text="Cargando lo que hay por atender..." rows={3} />}
      {items?.length === 0 && (
        <p className="flex min-h-24 items-center justify-center gap-2 text-muted">
          <CircleCheck aria-hidden className="size-5 text-success-ink" />
          Nada espera por ti
        </p>
      )}
      {items && items.length > 0 && (
        <ul aria-label="Por atender" className="-my-2 divide-y divide-line">
          {items.map((item) => (
            <Item key={item.title} {...item} />
          ))}
        </ul>
      )}
    </Card>
  )
}

interface ItemProps {
  title: string
  hint: string
  count: number
  amount?: string
  path: string
  icon: LucideIcon
}

function itemsOf(waiting: Waiting, role: Side): ItemProps[] {
  const { payments, payments_amount, payments_changed, approvals, commission_gaps, silent_issuers } = waiting
  const own = paths[role]
  const items: ItemProps[] = [
    {
      ...(role === 'admin'
        ? { title: 'Pagos por hacer', hint: `Creados y aún pendientes${changesOf(payments_changed)}.` }
        : {
            title: 'Pagos pendientes',
            hint: `Creados a tus afiliados y aún sin pagar${changesOf(payments_changed)}.`,
          }),
      ...{ count: payments, amount: payments_amount, path: `${own.payments}?estado=pending`, icon: CircleDollarSign },
    },
    {
      title: 'Comisiones por aprobar',
      hint: `Se pagan solo después de aprobarlas${heldText(approvals)}.`,
      ...{ count: approvals.count, amount: approvals.amount, path: own.approvals, icon: BadgeCheck },
    },
    {
      title: 'Relaciones sin comisión',
      hint: 'Hay pasos que generan comisión y el afiliado no gana nada por ellos.',
      count: commission_gaps,
      path: role === 'admin' ? `${own.commissions}?estado=falta` : own.commissions,
      icon: HandCoins,
    },
    role === 'admin'
      ? {
          title: 'Emisores sin avisos',
          hint: silent_issuers.map(silenceOf).join('; '),
          ...{ count: silent_issuers.length, path: issuersPath(silent_issuers), icon: Radio },
        }
      : {
          title: 'Tus eventos se detuvieron',
          hint: `El último llegó el ${dayOf(silent_issuers[0]?.last_day ?? '')}. Revisa tu integración.`,
          ...{ count: silent_issuers.length, path: paths.issuer.integration, icon: Radio },
        },
  ]
  return items.filter(({ count }) => count > 0)
}

const changesOf = (changed: number): string => (changed ? `; ${formatNumber(changed)} ${CHANGED_SINCE_MADE}` : '')

/** One is looked for; of several the list has no filter. */
const issuersPath = ([first, ...more]: Waiting['silent_issuers']): string =>
  paths.admin.issuers + (first && !more.length ? `?${new URLSearchParams({ q: first.name })}` : '')

const dayOf = (day: string): string => rangeText({ from: day, to: day })
const silenceOf = ({ name, last_day }: Waiting['silent_issuers'][number]): string =>
  `${name}, desde el ${dayOf(last_day)}`

const Item = ({ title, hint, count, amount, path, icon: Icon }: ItemProps) => (
  <li>
    <Link to={path} className="group -mx-2 flex items-start gap-3 rounded-lg px-2 py-3 hover:bg-hover">
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
      <span className="min-w-0 flex-1">
        <span className="block font-medium group-hover:underline">{title}</span>
        <span className="block wrap-anywhere text-muted">{hint}</span>
      </span>
      <Amount>
        <span className="font-medium">{formatNumber(count)}</span>
        {amount && <span className="block text-muted">{formatMoney(amount)}</span>}
      </Amount>
    </Link>
  </li>
)

const Amount = ({ children }: { children: ReactNode }) => (
  <span className="shrink-0 text-right tabular-nums">{children}</span>
)

import { Boxes, Building2, CircleDollarSign, type LucideIcon, MousePointerClick, Plus, Users } from 'lucide-react'
import type { Role } from '#contract/roles.ts'
import type { Found } from '#contract/search.ts'
import { paths, rowParams } from '#web/paths.ts'
import { ASKED, CREATE } from '#web/table/use-asked.ts'
import { formatDate, formatMoney } from '#web/ui/format.ts'
import { matches } from '#web/ui/matches.ts'
import { screensOf } from './navigation.ts'

/** One choice of the palette. */
export interface Row {
  key: string
  label: string
  hint?: string
  icon: LucideIcon
  path: string
}

export interface Group {
  value: string
  items: Row[]
}

const row = (label: string, path: string, icon: LucideIcon): Row => ({ key: path, label, path, icon })
const at = (path: string, parameters: Record<string, string | number>): string =>
  `${path}?${new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)]))}`

const create = (label: string, path: string): Row => row(label, at(path, { [ASKED]: CREATE }), Plus)

const actions: Record<Role, Row[]> = {
  admin: [create('Crear pago', paths.admin.payments)],
  issuer: [],
  affiliate: [],
}

/** What matches the text, on this side and on the server; without a text, every screen and action. */
export function groupsOf(role: Role, text: string, found: Found | undefined, managesPeople?: boolean): Group[] {
  const named = (rows: Row[]) => rows.filter(({ label }) => matches(text, [label]))
  const screens = screensOf(role, managesPeople).map(({ label, path, icon }) => row(label, path, icon))
  const groups = [
    { value: 'Ir a', items: named(screens) },
    ...(found ? foundGroups(role, found) : []),
    { value: 'Acciones', items: named(actions[role]) },
  ]
  return groups.filter(({ items }) => items.length > 0)
}

function foundGroups(role: Role, found: Found): Group[] {
  const { leads, payments } = paths[role]
  return [
    {
      value: 'Leads',
      items: found.leads.map(({ id, tracking_id, external_id, product_name }) => ({
        key: `lead ${id}`,
        label: `Lead ${id}`,
        hint: [external_id, product_name, tracking_id].filter(Boolean).join(' · '),
        icon: MousePointerClick,
        path: at(leads, { [rowParams.lead]: id }),
      })),
    },
    { value: 'Afiliados', items: found.affiliates.map((each) => companyRow(role, 'affiliate', each)) },
    { value: 'Emisores', items: found.issuers.map((each) => companyRow(role, 'issuer', each)) },
    {
      value: 'Productos',
      items: found.products.map((product) => ({
        key: `product ${product.id}`,
        label: product.name,
        hint: product.issuer_name,
        icon: Boxes,
        path: productPath(role, product),
      })),
    },
    {
      value: 'Pagos',
      items: found.payments.map((payment) => ({
        key: `payment ${payment.id}`,
        label: `Pago ${payment.id} · ${formatMoney(payment.total_amount)}`,
        hint: `${payment.affiliate_name} · ${payment.issuer_name} · ${formatDate(payment.period_start, 'day')} - ${formatDate(payment.period_end, 'day')}`,
        icon: CircleDollarSign,
        path: at(payments, { [rowParams.payment]: payment.id }),
      })),
    },
  ]
}

type Company = Found['affiliates'][number]

function companyRow(role: Role, noun: 'affiliate' | 'issuer', { id, company_name, rfc }: Company): Row {
  const [admin, other] =
    noun === 'affiliate'
      ? [paths.admin.affiliates, paths.issuer.affiliates]
      : [paths.admin.issuers, paths.affiliate.issuers]
  return {
    key: `${noun} ${id}`,
    label: company_name,
    hint: rfc,
    icon: noun === 'affiliate' ? Users : Building2,
    path: at(role === 'admin' ? admin : other, { q: company_name }),
  }
}

/** An affiliate's list has no search: it shows one issuer at a time. */
const productPath = (role: Role, { name, issuer }: Found['products'][number]): string =>
  role === 'affiliate' ? at(paths.affiliate.products, { emisor: issuer }) : at(paths[role].products, { q: name })

import {
  Boxes,
  Building2,
  CircleDollarSign,
  Gauge,
  Handshake,
  type LucideIcon,
  Milestone,
  MousePointerClick,
  Settings,
  UserRound,
  Users,
} from 'lucide-react'
import type { Role } from '#contract/roles.ts'
import { paths } from '#web/paths.ts'

interface ScreenLink {
  label: string
  path: string
}

interface NavigationItem extends ScreenLink {
  icon: LucideIcon
  /** Screens that are reached through it and stand nowhere else. */
  parts?: readonly ScreenLink[]
}

interface Navigation {
  title: string
  items: readonly NavigationItem[]
}

const item = (label: string, path: string, icon: LucideIcon): NavigationItem => ({ label, path, icon })
const { admin, issuer, affiliate } = paths
const results = (path: string) => [{ label: 'Resultados', path }]

/** What the administrator's Configuración leads to. */
export const ofNetwork: readonly (ScreenLink & { text: string })[] = [
  { path: admin.commissions, label: 'Comisiones', text: 'Lo que gana cada afiliado por cada producto.' },
  { path: admin.terms, label: 'Condiciones', text: 'Cuántos días se valida una comisión y si necesita aprobación.' },
  { path: admin.reasons, label: 'Motivos de rechazo', text: 'Con los que se rechazan leads.' },
  { path: admin.receivers, label: 'Webhooks', text: 'Avisos a los sistemas de la red.' },
  { path: admin.keys, label: 'Claves de consulta', text: 'Con las que leen los sistemas de la red.' },
  { path: admin.dashboards, label: 'Dashboards externos', text: 'Tableros de otras herramientas.' },
  { path: admin.mail, label: 'Correos', text: 'Lo que se envió y qué contestó el servidor.' },
  { path: admin.privacy, label: 'Datos personales', text: 'Solicitudes ARCO de quien hizo clic.' },
  { path: admin.audit, label: 'Bitácora', text: 'Quién hizo qué y cuándo.' },
]

export const navigation: Record<Role, Navigation> = {
  admin: {
    title: 'Panel Administrador',
    items: [
      { ...item('Dashboard', admin.dashboard, Gauge), parts: results(admin.results) },
      item('Afiliados', admin.affiliates, Users),
      item('Emisores', admin.issuers, Building2),
      item('Relaciones', admin.relationships, Handshake),
      item('Productos', admin.products, Boxes),
      item('Eventos', admin.events, Milestone),
      item('Usuarios', admin.users, UserRound),
      item('Leads', admin.leads, MousePointerClick),
      item('Pagos', admin.payments, CircleDollarSign),
      { ...item('Configuración', admin.settings, Settings), parts: ofNetwork },
    ],
  },
  issuer: {
    title: 'Panel Emisor',
    items: [
      { ...item('Dashboard', issuer.dashboard, Gauge), parts: results(issuer.results) },
      item('Productos', issuer.products, Boxes),
      item('Eventos', issuer.events, Milestone),
      item('Pagos', issuer.payments, CircleDollarSign),
      item('Afiliados', issuer.affiliates, Users),
      item('Leads', issuer.leads, MousePointerClick),
      item('Configuraciones', issuer.settings, Settings),
    ],
  },
  affiliate: {
    title: 'Panel Afiliado',
    items: [
      { ...item('Dashboard', affiliate.dashboard, Gauge), parts: results(affiliate.results) },
      item('Productos', affiliate.products, Boxes),
      item('Eventos', affiliate.events, Milestone),
      item('Leads', affiliate.leads, MousePointerClick),
      item('Pagos', affiliate.payments, CircleDollarSign),
      item('Emisores', affiliate.issuers, Building2),
      item('Configuraciones', affiliate.settings, Settings),
    ],
  },
}

interface Sibling extends ScreenLink {
  /** Only for who answers for the company's people. */
  ofPeople?: boolean
}

/** Screens that the sidebar does not list stand as tabs beside the one they belong to. */
const siblings: readonly (readonly Sibling[])[] = [
  [
    { label: 'Productos', path: issuer.products },
    { label: 'Comisiones', path: issuer.commissions },
  ],
  [
    { label: 'Leads', path: issuer.leads },
    { label: 'Por aprobar', path: issuer.approvals },
    { label: 'Conciliación', path: issuer.imports },
  ],
  [
    { label: 'Leads', path: admin.leads },
    { label: 'Por aprobar', path: admin.approvals },
    { label: 'Conciliación', path: admin.imports },
  ],
  [
    { label: 'Pagos', path: admin.payments },
    { label: 'Bonos y ajustes', path: admin.adjustments },
  ],
  [
    { label: 'Pagos', path: issuer.payments },
    { label: 'Bonos y ajustes', path: issuer.adjustments },
  ],
  [
    { label: 'Configuraciones', path: issuer.settings },
    { label: 'Integración', path: issuer.integration },
    { label: 'Webhooks', path: issuer.receivers },
    { label: 'Personas', path: issuer.people, ofPeople: true },
  ],
  [
    { label: 'Configuraciones', path: affiliate.settings },
    { label: 'Postbacks', path: affiliate.receivers },
    { label: 'Personas', path: affiliate.people, ofPeople: true },
  ],
  [
    { label: 'Pagos', path: affiliate.payments },
    { label: 'Mis comisiones', path: affiliate.commissions },
  ],
]

/** A screen with those beside it, the one of the sidebar first. */
export const familyOf = (screen: string): readonly Sibling[] =>
  siblings.find((group) => group.some(({ path }) => path === screen)) ?? []

/** Those that this person has; `managesPeople` is of the person's rights. */
export const tabsOf = (screen: string, managesPeople = false): readonly ScreenLink[] =>
  familyOf(screen).filter(({ ofPeople }) => !ofPeople || managesPeople)

/** Every screen of a role: those of the sidebar, then what is reached through each, with its icon. */
export function screensOf(role: Role, managesPeople?: boolean): (ScreenLink & { icon: LucideIcon })[] {
  const { items } = navigation[role]
  const further = items.flatMap(({ path, icon, parts = [] }) =>
    [...parts, ...tabsOf(path, managesPeople).slice(1)].map((screen) => ({ ...screen, icon })),
  )
  return [...items, ...further]
}

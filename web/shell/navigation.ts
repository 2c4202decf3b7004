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

interface NavigationItem {
  label: string
  path: string
  icon: LucideIcon
  /** Screens that are reached through it and stand nowhere else. */
  parts?: readonly string[]
}

interface Navigation {
  title: string
  items: readonly NavigationItem[]
}

const item = (label: string, path: string, icon: LucideIcon): NavigationItem => ({ label, path, icon })
const { admin, issuer, affiliate } = paths
const ofNetwork = [
  ...[admin.commissions, admin.terms, admin.reasons, admin.receivers, admin.keys, admin.dashboards, admin.mail],
  ...[admin.privacy, admin.audit],
]

export const navigation: Record<Role, Navigation> = {
  admin: {
    title: 'Panel Administrador',
    items: [
      item('Dashboard', admin.dashboard, Gauge),
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
      item('Dashboard', issuer.dashboard, Gauge),
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
      item('Dashboard', affiliate.dashboard, Gauge),
      item('Productos', affiliate.products, Boxes),
      item('Eventos', affiliate.events, Milestone),
      item('Leads', affiliate.leads, MousePointerClick),
      item('Pagos', affiliate.payments, CircleDollarSign),
      item('Emisores', affiliate.issuers, Building2),
      item('Configuraciones', affiliate.settings, Settings),
    ],
  },
}

interface Sibling {
  label: string
  path: string
  /** Only for who answers for the company's people. */
  ofPeople?: boolean
}

/** Screens that the sidebar does not list stand as tabs beside the one they belong to. */
export const siblings: readonly (readonly Sibling[])[] = [
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

import { useQuery } from '@tanstack/react-query'
import { Megaphone } from 'lucide-react'
import { affiliates } from '#contract/affiliates.ts'
import { CompaniesPage } from '#web/companies/CompaniesPage.tsx'
import type { CompanyKind } from '#web/companies/company-kind.ts'
import { affiliateDependentsQuery, affiliatesQuery } from './queries.ts'
import { useCreateAffiliate, useRemoveAffiliate, useUpdateAffiliate } from './saves.ts'

const kind: CompanyKind = {
  role: 'affiliate',
  icon: Megaphone,
  texts: {
    one: 'afiliado',
    many: 'afiliados',
    title: 'Afiliados',
    description: 'Las empresas que promueven los productos de los emisores.',
    create: 'Nuevo Afiliado',
    edit: 'Editar Afiliado',
    loading: 'Cargando afiliados...',
    failed: 'Error al cargar afiliados',
    empty: 'No se encontraron afiliados',
    emptyHint: 'Crea el primero con su usuario; después relaciónalo con un emisor.',
    inactive: 'Inactivo: sus enlaces dejan de funcionar y sus usuarios solo consultan. Su historia se conserva.',
  },
  addressOptional: false,
  statusOnCreate: false,
  calls: affiliates,
  useList: () => useQuery(affiliatesQuery()),
  useDependents: (id) => useQuery(affiliateDependentsQuery(id)),
  useCreate: useCreateAffiliate,
  useUpdate: useUpdateAffiliate,
  useRemove: useRemoveAffiliate,
}

export default function AdminAffiliatesPage() {
  return <CompaniesPage kind={kind} />
}

import { useQuery } from '@tanstack/react-query'
import { Landmark } from 'lucide-react'
import { issuers } from '#contract/issuers.ts'
import { CompaniesPage } from '#web/companies/CompaniesPage.tsx'
import type { CompanyKind } from '#web/companies/company-kind.ts'
import { issuerDependentsQuery, issuersQuery } from './queries.ts'
import { useCreateIssuer, useRemoveIssuer, useUpdateIssuer } from './saves.ts'

const kind: CompanyKind = {
  role: 'issuer',
  icon: Landmark,
  texts: {
    one: 'emisor',
    many: 'emisores',
    title: 'Emisores',
    description: 'Las empresas cuyos productos financieros se promueven.',
    create: 'Nuevo Emisor',
    edit: 'Editar Emisor',
    loading: 'Cargando emisores...',
    failed: 'Error al cargar emisores',
    empty: 'No se encontraron emisores',
    emptyHint: 'Crea el primero con su usuario; después agrega sus productos.',
    inactive:
      'Inactivo: los enlaces a sus productos dejan de funcionar, los afiliados dejan de verlos y sus usuarios solo consultan. Su historia se conserva.',
  },
  addressOptional: true,
  statusOnCreate: true,
  calls: issuers,
  useList: () => useQuery(issuersQuery()),
  useDependents: (id) => useQuery(issuerDependentsQuery(id)),
  useCreate: useCreateIssuer,
  useUpdate: useUpdateIssuer,
  useRemove: useRemoveIssuer,
}

export default function AdminIssuersPage() {
  return <CompaniesPage kind={kind} />
}

import { sql } from 'kysely'
import type { CompanyFilters } from '#contract/companies.ts'
import { type Status, statusLabels } from '#contract/fields.ts'
import type { RelationshipFilters } from '#contract/relationships.ts'
import { type Role, roleLabels } from '#contract/roles.ts'
import { type UserFilters, type UserStatus, userStatusLabels } from '#contract/users.ts'
import type { Tx } from '#db/connect.ts'
import { filteredAffiliates } from '../affiliates/queries.ts'
import type { Config } from '../config.ts'
import { everyWord } from '../http/lists.ts'
import { filteredIssuers } from '../issuers/queries.ts'
import { filteredRelationships } from '../relationships/queries.ts'
import { filteredUsers } from '../users/queries.ts'
import type { Reader, Viewer } from '../viewer.ts'
import { type Column, moment, number, text } from './cells.ts'
import { type Chosen, isChosen } from './chosen.ts'
import type { Sheet } from './export.ts'

type Rows<F extends (...args: never[]) => { execute: () => Promise<unknown[]> }> = Awaited<
  ReturnType<ReturnType<F>['execute']>
>[number]
type Directory = Config['issuerDirectory']
type Company = Rows<typeof filteredAffiliates>

/** The fields that the search of each role's screen covers. */
const searched: Record<Role, string[]> = {
  admin: ['company.company_name', 'company.rfc', 'company.contact_email'],
  issuer: ['company.company_name', 'company.contact_name'],
  affiliate: ['company.company_name'],
}
const wordsOf = ({ role }: Viewer, search: string) =>
  everyWord(
    search,
    searched[role].map((field) => sql.ref(field)),
  )

function affiliateRows(tx: Tx, viewer: Viewer, { search, ids, ...filters }: CompanyFilters & Chosen) {
  const rows = filteredAffiliates(tx, viewer, filters).where(isChosen('company.id', { ids }))
  return search ? rows.where(wordsOf(viewer, search)) : rows
}

function issuerRows(
  tx: Tx,
  viewer: Viewer,
  directory: Directory,
  { search, ids, ...filters }: CompanyFilters & Chosen,
) {
  const rows = filteredIssuers(tx, viewer, directory, filters).where(isChosen('company.id', { ids }))
  return search ? rows.where(wordsOf(viewer, search)) : rows
}

/** A company's users are only in the rows of viewers who may see them. */
const companyColumns = ({ role }: Viewer): Column<Company>[] => [
  number('ID', (company) => company.id),
  text('Empresa', (company) => company.company_name),
  text('RFC', (company) => company.rfc),
  text('Dirección', (company) => company.address),
  text('Contacto', (company) => company.contact_name),
  text('Teléfono', (company) => company.contact_phone),
  text('Email', (company) => company.contact_email),
  text('Sitio web', (company) => company.url),
  text('Estado', (company) => statusLabels[company.user_status as Status]),
  ...(role === 'admin'
    ? [
        text<Company>('Usuario administrador', (company) => company.users?.[0]?.full_name),
        text<Company>('Email del usuario', (company) => company.users?.[0]?.email),
      ]
    : []),
  moment('Fecha de creación', (company) => company.created_at),
]

export const affiliateSheet = (viewer: Viewer, filters: CompanyFilters & Chosen): Sheet<Company> => ({
  file: 'afiliados',
  title: 'Afiliados',
  entity: 'affiliate',
  columns: companyColumns(viewer),
  withoutLeads: true,
  select: (tx) => affiliateRows(tx, viewer, filters),
})

export const issuerSheet = (
  viewer: Viewer,
  directory: Directory,
  filters: CompanyFilters & Chosen,
): Sheet<Company> => ({
  file: 'emisores',
  title: 'Emisores',
  entity: 'issuer',
  columns: companyColumns(viewer),
  withoutLeads: true,
  select: (tx) => issuerRows(tx, viewer, directory, filters),
})

/** The screen finds a user by the Spanish name of the role too. */
function userRows(tx: Tx, { search, ids, ...filters }: UserFilters & Chosen) {
  const rows = filteredUsers(tx, filters).where(isChosen('user.id', { ids }))
  const fields = ['user.first_name', 'user.last_name', 'user.email', 'user.role'].map((field) => sql.ref<string>(field))
  const companies = ['affiliate.company_name', 'issuer.company_name'].map((field) => sql.ref<string>(field))
  const role = sql<string>`${JSON.stringify(roleLabels)}::jsonb ->> ${sql.ref('user.role')}`
  return search ? rows.where(everyWord(search, [...fields, role, ...companies])) : rows
}

type User = Rows<typeof userRows>

const userColumns: Column<User>[] = [
  number('ID', (user) => user.id),
  text('Nombre', (user) => user.full_name),
  text('Email', (user) => user.email),
  text('Rol', (user) => roleLabels[user.role as Role]),
  text('Asociación', (user) => user.affiliate_name ?? user.issuer_name),
  text('Estado', (user) => userStatusLabels[user.user_status as UserStatus]),
  moment('Último acceso', (user) => user.last_login),
  moment('Fecha de creación', (user) => user.created_at),
]

export const userSheet = (filters: UserFilters & Chosen): Sheet<User> => ({
  file: 'usuarios',
  title: 'Usuarios',
  entity: 'user',
  columns: userColumns,
  withoutLeads: true,
  select: (tx) => userRows(tx, filters),
})

type Relationship = Rows<typeof filteredRelationships>

const relationshipColumns: Column<Relationship>[] = [
  number('ID', (relationship) => relationship.id),
  text('Afiliado', (relationship) => relationship.affiliate_name),
  text('Emisor', (relationship) => relationship.issuer_name),
  text('Estado', (relationship) => statusLabels[relationship.relationship_status as Status]),
  text('Notas', (relationship) => relationship.notes),
  moment('Fecha de creación', (relationship) => relationship.created_at),
]

export const relationshipSheet = (viewer: Reader, filters: RelationshipFilters & Chosen): Sheet<Relationship> => ({
  file: 'relaciones',
  title: 'Relaciones',
  entity: 'relationship',
  columns: relationshipColumns,
  withoutLeads: true,
  select: (tx) => filteredRelationships(tx, viewer, filters).where(isChosen('relationship.id', filters)),
})

import { sql } from 'kysely'
import {
  ACCESS_DAYS,
  ACCESS_RECORDS,
  type AccessRecord,
  type CompanyAccess,
  type CompanyKey,
  type CompanyPerson,
} from '#contract/companies.ts'
import type { Tx } from '#db/connect.ts'
import type { Viewer } from '../viewer.ts'
import { type Company, columnOf } from './companies.ts'

/** Who can act for a company and with what; callers have checked that the viewer may see it. */
export async function readAccess(tx: Tx, viewer: Viewer, noun: Company, id: number): Promise<CompanyAccess> {
  return {
    keys: await listKeys(tx, noun, id),
    ...(noun === 'issuer' ? await readSigning(tx, id) : { signature_required: false, key_signs_until: null }),
    people: await listPeople(tx, noun, id),
    trail: await listTrail(tx, viewer, noun, id),
  }
}

async function listKeys(tx: Tx, noun: Company, id: number): Promise<CompanyKey[]> {
  const rows = await tx
    .selectFrom('api_key')
    .select(['id', 'kind', 'prefix', 'created_at', 'expires_at', 'last_used_at', 'last_used_from'])
    .where(columnOf(noun), '=', id)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', eb.fn<string>('now'))]))
    .orderBy('id')
    .execute()
  return rows as CompanyKey[]
}

const readSigning = (tx: Tx, id: number) =>
  tx
    .selectFrom('issuer')
    .select(['signature_required', 'key_signs_until'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

const since = sql<string>`now() - make_interval(days => ${ACCESS_DAYS})`

/** Deleted ones as well, for a while: somebody may have had an account for minutes. */
async function listPeople(tx: Tx, noun: Company, id: number): Promise<CompanyPerson[]> {
  const rows = await tx
    .selectFrom('user')
    .select((eb) => [
      'id',
      sql<string>`concat_ws(' ', ${eb.ref('first_name')}, ${eb.ref('last_name')})`.as('full_name'),
      'email',
      'user_status',
      'created_at',
      'last_login',
      'archived_at as removed_at',
    ])
    .where(columnOf(noun), '=', id)
    .where((eb) => eb.or([eb('archived_at', 'is', null), eb('archived_at', '>', since)]))
    .orderBy(sql`archived_at is not null`)
    .orderBy('id')
    .execute()
  return rows as CompanyPerson[]
}

/** Showing a key is recorded with every visit of the screen: once a day and person is enough to read. */
const day = sql`case when action = 'reveal_key' then mexico_day(created_at)::text else id::text end`

/** Of its keys, and of the accounts of its people. */
const isOf = (noun: Company, id: number) => sql<boolean>`
  (entity = ${noun} and entity_id = ${id}
    and (action in ('reveal_key', 'rotate_key', 'revoke_key') or action = 'update' and changes ? 'signature_required')
  or entity = 'user' and action in ('create', 'delete', 'reset_password', 'give_link', 'use_link', 'view_as')
    and entity_id in (select id from "user" where ${sql.ref(columnOf(noun))} = ${id}))`

/** Not done by people of another company, where somebody who came from there was before. */
const isOfOwn = (noun: Company, id: number) => sql<boolean>`
  entity <> 'user' or actor_role not in ('affiliate', 'issuer')
    or actor_id in (select id from "user" where ${sql.ref(columnOf(noun))} = ${id})`

async function listTrail(tx: Tx, viewer: Viewer, noun: Company, id: number): Promise<AccessRecord[]> {
  const rows = await tx
    .selectFrom('audit_entry')
    .select((eb) => [
      eb.fn.max('id').as('id'),
      eb.fn.max('created_at').as('created_at'),
      'action',
      'entity',
      sql<number>`count(*)`.as('times'),
      sql<AccessRecord['kind']>`max(changes -> 'kind' ->> 1)`.as('kind'),
      sql<boolean>`coalesce(bool_or((changes -> 'revoked_old' ->> 1)::boolean), false)`.as('revoked_old'),
      sql<boolean | null>`bool_or((changes -> 'signature_required' ->> 1)::boolean)`.as('signature_required'),
      sql<string | null>`max(case when entity = 'user' then label end)`.as('person'),
      'actor_id',
      'actor_name',
      'actor_role',
      isOfOwn(noun, id).as('is_of_own'),
    ])
    .where('created_at', '>', since)
    .where(isOf(noun, id))
    .groupBy(['action', 'entity', 'actor_id', 'actor_name', 'actor_role', day])
    .orderBy('id', 'desc')
    .limit(ACCESS_RECORDS)
    .execute()
  return rows.map(({ actor_id: _, is_of_own, ...row }) => ({
    ...row,
    entity: row.entity as AccessRecord['entity'],
    // As in the history of commissions: companies do not see administrators' names.
    actor_name: viewer.role === 'admin' || (row.actor_role !== 'admin' && is_of_own) ? row.actor_name : '',
  }))
}

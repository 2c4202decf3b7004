import type { Tx } from '#db/connect.ts'

type Named = 'product' | 'issuer' | 'affiliate'

/** The names of parties that the caller has found visible, archived ones included. */
export async function readNames(tx: Tx, of: Named, ids: number[]): Promise<Map<number, string>> {
  if (!ids.length) return new Map()
  const rows =
    of === 'product'
      ? await tx.selectFrom('product').select(['id', 'name']).where('id', 'in', ids).execute()
      : await tx.selectFrom(of).select(['id', 'company_name as name']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Which parties a breakdown by partner shows: never the viewer's own side; the administrator sees both. */
export const partnersOf = (role: 'admin' | 'issuer' | 'affiliate') => ({
  issuers: role !== 'issuer',
  affiliates: role !== 'affiliate',
})

import type { Tx } from '#db/connect.ts'

type Named = 'product' | 'issuer' | 'affiliate'

/** The names of parties that the caller has found visible, archived ones included; 0 is a product that there is none of. */
export async function readNames(tx: Tx, of: Named, ids: number[]): Promise<Map<number, string>> {
  if (!ids.length) return new Map()
  const rows =
    of === 'product'
      ? await tx.selectFrom('product').select(['id', 'name']).where('id', 'in', ids).execute()
      : await tx.selectFrom(of).select(['id', 'company_name as name']).where('id', 'in', ids).execute()
  return new Map([[0, 'Sin producto'], ...rows.map(({ id, name }): [number, string] => [id, name])])
}

/** Which parties a breakdown by partner shows: never the viewer's own side; the administrator sees both. */
export const partnersOf = (role: 'admin' | 'issuer' | 'affiliate') => ({
  issuers: role !== 'issuer',
  affiliates: role !== 'affiliate',
})

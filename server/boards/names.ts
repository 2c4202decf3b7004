import type { Tx } from '#db/connect.ts'

type Named = 'product' | 'issuer' | 'affiliate'

/** How the parties of figures that the caller has found visible are called, archived ones included. */
export async function readNames(tx: Tx, of: Named, ids: number[]): Promise<Map<number, string>> {
  if (!ids.length) return new Map()
  const rows =
    of === 'product'
      ? await tx.selectFrom('product').select(['id', 'name']).where('id', 'in', ids).execute()
      : await tx.selectFrom(of).select(['id', 'company_name as name']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Who appears in a breakdown by partner: nobody is told about itself, and only the administrator sees both sides. */
export const partnersOf = (role: 'admin' | 'issuer' | 'affiliate') => ({
  issuers: role !== 'issuer',
  affiliates: role !== 'affiliate',
})

import type { Tx } from '#db/connect.ts'
import { iso } from './calendar.ts'
import type { Clock } from './clock.ts'
import { fill } from './fill.ts'
import { type Happening, pairOf } from './happening.ts'
import type { PlacedPayment } from './insert-books.ts'
import type { Catalog } from './insert-catalog.ts'
import type { Companies, DemoUser } from './insert-companies.ts'
import { Random } from './random.ts'
import { recentDays } from './recent-days.ts'

/** The audit trail of what the demonstration shows, and what people did in the last days. */
export async function insertActivity(
  tx: Tx,
  companies: Companies,
  catalog: Catalog,
  payments: readonly PlacedPayment[],
  clock: Clock,
): Promise<void> {
  const [chief, deputy = chief] = companies.users.filter((user) => user.role === 'admin') as [DemoUser, ...DemoUser[]]
  const happenings = [
    ...foundations(companies, catalog, chief),
    ...amounts(companies, catalog),
    ...endings(companies, catalog, deputy, clock),
    ...paperwork(payments, deputy, chief),
    ...recentDays(companies, catalog, payments, clock),
    ...signIns(companies),
  ]
  const random = new Random(77)
  const rows = happenings
    .filter(({ moment }) => moment <= clock.now)
    .sort((a, b) => a.moment - b.moment)
    .map((each) => rowOf(each, random))
  await fill(tx, 'audit_entry', rows)
}

const rowOf = ({ moment, by, action, entity, id, label, changes }: Happening, random: Random) => ({
  created_at: iso(moment),
  actor_id: by.id,
  actor_name: by.name,
  actor_role: by.role,
  action,
  entity,
  entity_id: id,
  label,
  changes: changes ?? {},
  request_id: `${random.hex(8)}-${random.hex(4)}-4${random.hex(3)}-a${random.hex(3)}-${random.hex(12)}`,
  address: `203.0.113.${by.id + 9}`,
})

function foundations(companies: Companies, catalog: Catalog, by: DemoUser): Happening[] {
  const made = (entity: string, id: number, label: string, moment: number): Happening => ({
    moment,
    by,
    action: 'create',
    entity,
    id,
    label,
  })
  return [
    ...[...companies.issuers.values()].map((each) => made('issuer', each.id, each.name, each.createdAt)),
    ...[...companies.affiliates.values()].map((each) => made('affiliate', each.id, each.name, each.createdAt)),
    ...companies.users.filter((user) => user !== by).map((user) => made('user', user.id, user.name, user.createdAt)),
    ...catalog.products.map((each) => made('product', each.id, each.name, each.createdAt)),
    ...catalog.relationships.map((each) => made('relationship', each.id, pairOf(companies, each), each.createdAt)),
  ]
}

/** Every amount of every commission, each set by a user of the issuer; the history of a commission reads these. */
const amounts = (companies: Companies, catalog: Catalog): Happening[] =>
  catalog.links.flatMap(({ issuer, commission }) => {
    const by = companies.users.find((user) => user.role === 'issuer' && user.company === issuer)
    if (!commission || !by) return []
    const { id, name, createdAt } = commission
    return commission.amounts.map(([from, amount], index): Happening => {
      const before = commission.amounts[index - 1]?.[1]
      const row = { by, entity: 'commission', id, label: name }
      return before === undefined
        ? { ...row, moment: createdAt, action: 'create', changes: { name: [null, name], payout: [null, amount] } }
        : { ...row, moment: from, action: 'update', changes: { payout: [before, amount] } }
    })
  })

function endings(companies: Companies, catalog: Catalog, by: DemoUser, clock: Clock): Happening[] {
  const ended = catalog.relationships.filter((each) => Number.isFinite(each.endedAt))
  return [
    ...ended.map(
      (each): Happening => ({
        moment: each.endedAt,
        by,
        action: 'update',
        entity: 'relationship',
        id: each.id,
        label: pairOf(companies, each),
        changes: { relationship_status: ['active', 'inactive'] },
      }),
    ),
    ...catalog.products.flatMap(({ id, name, retiredDaysAgo }): Happening[] =>
      retiredDaysAgo === undefined
        ? []
        : [
            {
              moment: clock.ago(retiredDaysAgo, 18),
              by,
              action: 'update',
              entity: 'product',
              id,
              label: name,
              changes: { product_status: ['active', 'inactive'] },
            },
          ],
    ),
  ]
}

function paperwork(payments: readonly PlacedPayment[], maker: DemoUser, payer: DemoUser): Happening[] {
  return payments.flatMap(({ id, start, end, status, createdAt, paidAt, cancelledAt }) => {
    const payment = { entity: 'payment', id, label: `${start} - ${end}` }
    const saved: Happening[] = [{ ...payment, moment: createdAt, by: maker, action: 'create' }]
    const settledAt = paidAt ?? cancelledAt
    if (settledAt)
      saved.push({
        ...payment,
        moment: settledAt,
        by: payer,
        action: 'update',
        changes: { payment_status: ['pending', status] },
      })
    if (status === 'processing')
      saved.push({
        ...payment,
        moment: createdAt + 26 * 3_600_000,
        by: payer,
        action: 'update',
        changes: { payment_status: ['pending', status] },
      })
    return saved
  })
}

/** The last sign-in of each user, as users show it too. */
const signIns = (companies: Companies): Happening[] =>
  companies.users.flatMap((user): Happening[] =>
    user.lastLogin === undefined
      ? []
      : [{ moment: user.lastLogin, by: user, action: 'login', entity: 'user', id: user.id, label: user.name }],
  )

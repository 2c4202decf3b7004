import { addDays } from '#contract/time.ts'
import { at } from './calendar.ts'
import type { Clock } from './clock.ts'
import { type Happening, pairOf } from './happening.ts'
import type { PlacedPayment } from './insert-books.ts'
import type { Catalog } from './insert-catalog.ts'
import type { Companies, DemoUser } from './insert-companies.ts'

type Row = { id: number; name: string }
type Changes = NonNullable<Happening['changes']>
type Edit = readonly [when: string, by: string, entity: string, row: Row | undefined, changes: Changes]

/** An operator's last week: days ago, then the time in Mexico City. */
export function recentDays(
  companies: Companies,
  catalog: Catalog,
  payments: readonly PlacedPayment[],
  clock: Clock,
): Happening[] {
  return [...peopleAndCompanies(companies, catalog), ...offers(catalog), ...agreements(catalog, payments)].flatMap(
    ([when, by, entity, row, changes]): Happening[] => {
      const user = companies.users.find(({ email }) => email.startsWith(by))
      return row && user
        ? [{ moment: momentOf(when, clock), by: user, action: 'update', entity, id: row.id, label: row.name, changes }]
        : []
    },
  )
}

function momentOf(when: string, clock: Clock): number {
  const [days = 0, hour = 0, minute = 0] = when.split(/[ :]/).map(Number)
  return at(addDays(clock.today, -days), hour, minute)
}

const CHIEF = 'admin@'
const DEPUTY = 'sergio.'
const ISSUER = 'emisor@'

const userOf = (companies: Companies, email: string): DemoUser | undefined =>
  companies.users.find((user) => user.email.startsWith(email))

function peopleAndCompanies(companies: Companies, catalog: Catalog): Edit[] {
  const mafer = catalog.relationships.find(({ affiliate, issuer }) => affiliate === 'mafer' && issuer === 'altaluz')
  return [
    ['6 10:22', CHIEF, 'user', userOf(companies, 'karla.'), { user_status: ['active', 'suspended'] }],
    [
      '3 11:37',
      CHIEF,
      'affiliate',
      companies.affiliates.get('onceveinte'),
      { contact_phone: ['+523350191173', '+523350191174'] },
    ],
    [
      '0 09:12',
      DEPUTY,
      'relationship',
      mafer && { id: mafer.id, name: pairOf(companies, mafer) },
      { notes: ['Persona física.', mafer?.notes] },
    ],
  ]
}

function offers(catalog: Catalog): Edit[] {
  const product = (key: string) => catalog.products.find((each) => each.key === key)
  const [seminuevo, express] = [product('auto-seminuevo'), product('express')]
  const [request, file] = [express?.steps[0], seminuevo?.steps[2]]
  const before = 'https://cotiza.caminollano.example/seminuevo/{tracking_id}'
  return [
    [
      '5 12:48',
      DEPUTY,
      'product',
      express,
      { description: ['CAT promedio 398.2 % sin IVA', 'CAT promedio 412.6 % sin IVA'] },
    ],
    ['4 16:05', DEPUTY, 'event_step', request, { description: ['Datos personales.', request?.description] }],
    ['2 17:51', DEPUTY, 'product', seminuevo, { redirect_url: [before, seminuevo?.redirect_url] }],
    [
      '1 12:09',
      CHIEF,
      'product',
      product('travesia'),
      { description: ['CAT promedio 73.1 % sin IVA', 'CAT promedio 71.8 % sin IVA'] },
    ],
    ['0 16:18', CHIEF, 'event_step', file, { description: ['Documentos recibidos.', file?.description] }],
  ]
}

function agreements(catalog: Catalog, payments: readonly PlacedPayment[]): Edit[] {
  const waiting = payments.find(({ status, id }) => status === 'pending' && id % 2)
  const commission = (affiliate: string, key: string): Row | undefined =>
    catalog.links.find((each) => each.affiliate === affiliate && each.product === key)?.commission
  const described: Changes = { description: ['', 'Por cada lead que llega al paso que genera comisión.'] }
  return [
    ['2 13:14', ISSUER, 'commission', commission('pesoapesito', 'clasica'), described],
    ['1 17:33', 'emiliano@', 'commission', commission('onceveinte', 'tlanextli-cuenta'), described],
    ['0 10:47', 'graciela.', 'commission', commission('finanzasconlupa', 'medida'), described],
    [
      '0 12:31',
      DEPUTY,
      'payment',
      waiting && { id: waiting.id, name: `${waiting.start} - ${waiting.end}` },
      { notes: ['', 'En espera de la factura del afiliado.'] },
    ],
  ]
}

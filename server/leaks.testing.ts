// Longer than other files: the parts of this world only make sense together.
import { sql } from 'kysely'
import { dateInMexico } from '#contract/time.ts'
import { connect, type Db } from '#db/connect.ts'
import {
  type Actor,
  type Ids,
  makeAdjustment,
  makeAffiliate,
  makeAnnounced,
  makeCommission,
  makeDelivery,
  makeEvent,
  makeImport,
  makeIssuer,
  makeLead,
  makePayment,
  makeProduct,
  makeReceiver,
  makeRelationship,
  makeStep,
  makeTerm,
  makeUser,
} from '#db/factories.ts'
import { AccessTokens } from './auth/tokens.ts'
import { ApiKeys } from './companies/api-keys.ts'
import { ReceiverSecrets } from './deliveries/secrets.ts'
import { TEST_SECRET, TestClient, type TestServer } from './testing.ts'

/** A and S work together in both directions, and so do B and S; A and B know nothing of each other. */
export type Party = 'issuerA' | 'affiliateA' | 'issuerB' | 'affiliateB' | 'issuerS' | 'affiliateS'

export interface Company {
  id: number
  client: TestClient
  userId: number
  sessionId: string
  boardId: number
  receiverId: number
  deliveryId: string
  /** Empty for affiliates, which have none that calls are made with. */
  apiKey: string
  postbackToken: string
}

/** What two parties have with each other, and the ids of its rows. */
export interface Pair extends Ids {
  commission_id: number
  rate_id: number
  payment_id: number
  step_id: number
  lead_id: number
  entry_id: number
  term_id: number
  adjustment_id: number
  import_id: number
  tracking_id: string
  external_id: string
}
type Product = Awaited<ReturnType<World['makeProduct']>>

interface Secret {
  what: string
  readers: readonly Party[]
}

/** In every text that this party may not read, so that one search for it finds whichever of them it could find. */
export const HIDDEN_FROM: Partial<Record<Party, string>> = { issuerA: 'qkz', affiliateA: 'qwz' }

// Each table counts in a range of its own, so that an id found in an answer says whose row it is.
const counted = [
  ...(['affiliate', 'issuer', 'user', 'relationship', 'product', 'event_step', 'commission', 'rate', 'lead'] as const),
  ...([
    'lead_event',
    'payment',
    'commission_entry',
    'dashboard',
    'audit_entry',
    'rejected_postback',
    'term',
    'import',
    'receiver',
  ] as const),
]
const MARKS =
  /sx\d{4}x|\b\d{9}\b|\+52\d{10}|\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b|\b(?:iss|aff|pbt)_\w{47}\b|\bwhsec_[\w+/]{43}=/g

/** Days that every report below asks for. */
export const PERIOD = { from: '2025-03-01', to: '2025-03-31' }
const MOMENT = '2025-03-12T18:00:00.000Z'

/** Rows whose every text and id is unique and recorded with the parties that may read it. */
export class World {
  readonly secrets = new Map<string, Secret>()
  readonly companies = {} as Record<Party, Company>
  readonly #pairs: { parties: Party[]; pair: Pair }[] = []
  readonly #server: TestServer
  readonly #db: Db
  readonly #keys: ApiKeys
  #count = 0

  constructor(server: TestServer) {
    this.#server = server
    this.#db = server.db
    this.#keys = new ApiKeys(server.db, TEST_SECRET)
  }

  /** The server's own role may not do this. */
  async spreadIds(): Promise<void> {
    const owner = connect(this.#server.databaseUrl, { max: 1 })
    for (const [index, table] of counted.entries())
      await sql`select setval(pg_get_serial_sequence(${`"${table}"`}, 'id'), ${411_000_001 + index * 1_000_000}, false)`.execute(
        owner,
      )
    await owner.destroy()
  }

  /** A new text that only these may read. */
  text(what: string, ...readers: Party[]): string {
    const hidden = Object.entries(HIDDEN_FROM).map(([party, tag]) => (readers.includes(party as Party) ? '' : tag))
    return hidden.join('') + this.keep(`sx${String(++this.#count).padStart(4, '0')}x`, what, readers)
  }

  keep<T extends string | number>(secret: T, what: string, readers: readonly Party[]): T {
    this.secrets.set(String(secret), { what, readers })
    return secret
  }

  pairsOf(party: Party): Pair[] {
    return this.#pairs.filter(({ parties }) => parties.includes(party)).map(({ pair }) => pair)
  }

  /** The secrets that a text contains. */
  *found(text: string): Generator<[string, Secret]> {
    for (const [mark] of text.matchAll(MARKS)) {
      const secret = this.secrets.get(mark)
      if (secret) yield [mark, secret]
    }
  }

  async makeCompany(party: Party, ...partners: Party[]): Promise<Company> {
    const isIssuer = party.startsWith('issuer')
    const make = isIssuer ? makeIssuer : makeAffiliate
    const { id } = await make(this.#db, this.#companyColumns(party, partners))
    this.keep(id, `id of ${party}`, [party, ...partners])
    const actor: Actor = isIssuer ? { role: 'issuer', issuerId: id } : { role: 'affiliate', affiliateId: id }
    const owner = isIssuer ? { issuerId: id } : { affiliateId: id }
    const apiKey = this.keep(await this.#keys.create(this.#db, owner, 'api'), `API key of ${party}`, [party])
    const postbackToken = isIssuer ? await this.#keys.create(this.#db, owner, 'postback') : ''
    if (isIssuer) {
      this.keep(postbackToken, `postback token of ${party}`, [party])
      this.keep(await this.#keys.create(this.#db, owner, 'signing'), `signing secret of ${party}`, [party])
    }
    const boardId = await this.#makeBoard(party, actor)
    const person = await this.#makePerson(party, actor, isIssuer ? [] : partners)
    const outbound = await this.#makeReceiver(party, actor)
    this.companies[party] = { id, apiKey, postbackToken, boardId, ...person, ...outbound }
    return this.companies[party]
  }

  #companyColumns(party: Party, partners: Party[]) {
    const text = (what: string) => this.text(`${what} of ${party}`, party, ...partners)
    return {
      company_name: `${text('company_name')} Finanzas`,
      rfc: text('rfc').padStart(12, '0'),
      address: text('address'),
      contact_name: text('contact_name'),
      contact_phone: this.keep(`+5255000${10_000 + ++this.#count}`, `phone of ${party}`, [party, ...partners]),
      contact_email: `${text('contact_email')}@pruebas.mx`,
      url: `https://${text('url')}.mx`,
    }
  }

  /** Where it wants to be called is nobody else's business, not even its partners'. */
  async #makeReceiver(party: Party, actor: Actor) {
    const affiliate_id = actor.role === 'affiliate' ? actor.affiliateId : null
    const issuer_id = actor.role === 'issuer' ? actor.issuerId : null
    const secrets = new ReceiverSecrets(TEST_SECRET)
    const { secret, sealed } = secrets.create({ affiliate_id, issuer_id })
    this.keep(secret, `secret of a receiver of ${party}`, [party])
    const text = (what: string) => this.text(`${what} of a receiver of ${party}`, party)
    const { id } = await makeReceiver(this.#db, {
      ...{ affiliate_id, issuer_id, secret: sealed, kek_id: secrets.keyId },
      ...{ name: text('name'), url: `https://sistema.example.mx/${text('url')}` },
    })
    const delivery = await makeDelivery(this.#db, id)
    return {
      receiverId: this.keep(id, `id of a receiver of ${party}`, [party]),
      deliveryId: this.keep(delivery.id, `id of a delivery of ${party}`, [party]),
    }
  }

  async #makeBoard(party: Party, actor: Actor): Promise<number> {
    const text = (what: string) => this.text(`${what} of a board of ${party}`, party)
    const columns = { name: text('name'), description: text('description'), iframe_url: `/embed/${text('url')}` }
    const reader =
      actor.role === 'issuer'
        ? { issuer_id: actor.issuerId }
        : { affiliate_id: actor.role === 'affiliate' ? actor.affiliateId : null }
    const { id } = await this.#db
      .insertInto('dashboard')
      .values({ ...columns, role: actor.role, ...reader })
      .returning('id')
      .executeTakeFirstOrThrow()
    return this.keep(id, `id of a board of ${party}`, [party])
  }

  /** Issuers see the users of their affiliates, without ids; no company sees the users of an issuer. */
  async #makePerson(party: Party, actor: Actor, colleagues: Party[]) {
    const text = (what: string) => this.text(`${what} of the user of ${party}`, party, ...colleagues)
    const user = await makeUser(this.#db, actor, {
      email: `${text('email')}@pruebas.mx`,
      first_name: text('first_name'),
      last_name: text('last_name'),
    })
    const session = await this.#db
      .insertInto('session')
      .values({
        user_id: user.id,
        refresh_hash: Buffer.from(party),
        expires_at: new Date(Date.now() + 3_600_000).toISOString(),
        elevated_until: new Date(Date.now() + 3_600_000).toISOString(),
        address: this.text(`address of the session of ${party}`, party),
        user_agent: this.text(`browser of the session of ${party}`, party),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    this.keep(user.id, `id of the user of ${party}`, [party])
    this.keep(session.id, `id of the session of ${party}`, [party])
    const bearer = await new AccessTokens(TEST_SECRET).sign({ id: session.id, userId: user.id })
    const client = new TestClient(this.#server.origin, { authorization: `Bearer ${bearer}` })
    return { client, userId: user.id, sessionId: session.id }
  }

  /** With one on offer comes one that is not, which affiliates do not see. */
  async makeProduct(issuer: Party, ...affiliates: Party[]) {
    const shown = await this.#makeFlow(issuer, 'active', [issuer, ...affiliates])
    await this.#makeFlow(issuer, 'inactive', [issuer])
    return shown
  }

  async #makeFlow(issuer: Party, product_status: string, readers: Party[]) {
    const text = (what: string) => this.text(`${what} of an ${product_status} product of ${issuer}`, ...readers)
    const product = await makeProduct(this.#db, {
      issuer_id: this.companies[issuer].id,
      name: text('name'),
      description: text('description'),
      redirect_url: `https://${this.text(`target of ${issuer}`, issuer)}.mx/?ref={tracking_id}`,
      product_status,
    })
    const step = await makeStep(this.#db, {
      product_id: product.id,
      name: text('step name'),
      description: text('step description'),
      event_type_id: 3,
      is_payout_event: true,
    })
    this.keep(product.id, `id of an ${product_status} product of ${issuer}`, readers)
    this.keep(step.id, `id of a step of ${issuer}`, readers)
    return { product_id: product.id, step }
  }

  async makePair(issuer: Party, affiliate: Party, { product_id, step }: Product): Promise<Pair> {
    const companies = { issuer_id: this.companies[issuer].id, affiliate_id: this.companies[affiliate].id }
    const both = [issuer, affiliate]
    const pair = `${issuer} and ${affiliate}`
    const notes = this.text(`relationship notes of ${pair}`, ...both)
    const { id: relationship_id } = await makeRelationship(this.#db, { ...companies, notes })
    const ids = { ...companies, product_id, relationship_id: this.keep(relationship_id, `link of ${pair}`, both) }
    const commission = await makeCommission(this.#db, {
      ...ids,
      name: this.text(`commission of ${pair}`, issuer),
      description: this.text(`commission description of ${pair}`, issuer),
      payout: `${701 + ++this.#count}.17`,
    })
    const commission_id = this.keep(commission.id, `id of the commission of ${pair}`, [issuer])
    const announced = await makeAnnounced(this.#db, commission, `${701 + ++this.#count}.17`)
    const rate_id = this.keep(announced.id, `id of a rate of ${pair}`, both)
    const lead = await this.#makeLead(ids, pair, issuer, affiliate)
    const payment = await makePayment(this.#db, ids, {
      notes: this.text(`payment notes of ${pair}`, ...both),
      total_amount: `${9_000 + ++this.#count}.41`,
    })
    this.keep(payment.id, `id of the payment of ${pair}`, both)
    const settled = { ...ids, commission_id, payment_id: payment.id }
    const entry_id = await this.#makeEntry(settled, lead, step, pair, both)
    const term = await makeTerm(this.#db, {
      relationship_id,
      validation_days: 30,
      note: this.text(`term note of ${pair}`),
    })
    const term_id = this.keep(term.id, `id of a term of ${pair}`, both)
    const adjustment = await makeAdjustment(this.#db, ids, {
      earned_at: MOMENT,
      note: this.text(`note of a bonus of ${pair}`, ...both),
    })
    const adjustment_id = this.keep(adjustment.id, `id of a bonus of ${pair}`, both)
    const import_id = await this.#makeImport(issuer, pair)
    const counted = { ...companies, product_id, day: PERIOD.from, reason: 'preview', count: ++this.#count }
    await this.#db.insertInto('preview_count').values(counted).execute()
    await this.#makeLinkFault(ids, pair, affiliate)
    const { id: lead_id, tracking_id, external_id } = lead
    const made: Pair = {
      ...settled,
      rate_id,
      entry_id,
      adjustment_id,
      term_id,
      import_id,
      step_id: step.id,
      lead_id,
      ...{ tracking_id, external_id },
    }
    this.#pairs.push({ parties: both, pair: made })
    return made
  }

  async #makeLinkFault({ affiliate_id, relationship_id, product_id }: Ids, pair: string, affiliate: Party) {
    const sample = this.text(`what a link of ${pair} sent`, affiliate)
    const fault = { affiliate_id, relationship_id, product_id, reason: 'unreplaced', sample, count: 1 }
    await this.#db
      .insertInto('link_fault')
      .values({ ...fault, day: dateInMexico() })
      .execute()
  }

  async #makeImport(issuer: Party, pair: string): Promise<number> {
    const text = (what: string) => this.text(`${what} of a file of ${pair}`, issuer)
    const columns = { file_name: text('name'), header: JSON.stringify([text('header'), 'estado']), cell: text('cell') }
    const { id } = await makeImport(this.#db, this.companies[issuer].id, columns)
    return this.keep(id, `id of a file of ${pair}`, [issuer])
  }

  /** An affiliate may not see a lead's data from the browser or the issuer, only its own parameters. */
  async #makeLead(ids: Ids, pair: string, issuer: Party, affiliate: Party) {
    const text = (what: string) => this.text(`${what} of a lead of ${pair}`, issuer, affiliate)
    const lead = await makeLead(this.#db, {
      ...ids,
      created_at: MOMENT,
      external_id: text('external_id'),
      utm_source: text('utm_source'),
      utm_medium: text('utm_medium'),
      utm_campaign: text('utm_campaign'),
      utm_term: text('utm_term'),
      utm_content: text('utm_content'),
      lead_data: JSON.stringify({
        params: { sub1: text('sub1') },
        referer_host: this.text(`referer of a lead of ${pair}`, issuer),
      }),
    })
    this.keep(lead.id, `id of a lead of ${pair}`, [issuer, affiliate])
    this.keep(lead.tracking_id, `tracking id of a lead of ${pair}`, [issuer, affiliate])
    return lead
  }

  async #makeEntry(
    ids: Ids & { commission_id: number; payment_id: number },
    lead: { id: number; tracking_id: string },
    step: Product['step'],
    pair: string,
    both: Party[],
  ): Promise<number> {
    const [issuer] = both as [Party]
    const event = await makeEvent(this.#db, { ...lead, issuer_id: ids.issuer_id }, step, {
      event_type_id: 3,
      event_type_name: 'aprobado',
      created_at: MOMENT,
      source: this.text(`event source of ${pair}`, ...both),
      event_data: JSON.stringify({ plan: this.text(`event_data of ${pair}`, issuer) }),
    })
    this.keep(event.id, `id of an event of ${pair}`, both)
    const amount = `${401 + ++this.#count}.23`
    const reason = this.text(`reason of ${pair}`, ...both)
    const entry = await this.#db
      .insertInto('commission_entry')
      .values({
        ...ids,
        lead_id: lead.id,
        tracking_id: lead.tracking_id,
        converts: 1,
        step_id: step.id,
        lead_event_id: event.id,
        amount,
        reason,
        state: 'in_payment',
        earned_at: MOMENT,
        due_on: MOMENT.slice(0, 10),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return this.keep(entry.id, `id of a commission earned by ${pair}`, both)
  }
}

/** Everything of A, with its partner S. */
export async function makeOwn(world: World) {
  await world.makeCompany('issuerS', 'affiliateA', 'affiliateB', 'affiliateS')
  await world.makeCompany('affiliateS', 'issuerA', 'issuerB', 'issuerS')
  await world.makeCompany('issuerA', 'affiliateA', 'affiliateS')
  await world.makeCompany('affiliateA', 'issuerA', 'issuerS')
  const product = await world.makeProduct('issuerA', 'affiliateA', 'affiliateS')
  const shared = await world.makeProduct('issuerS', 'affiliateA', 'affiliateB', 'affiliateS')
  const pair = await world.makePair('issuerA', 'affiliateA', product)
  await world.makePair('issuerA', 'affiliateS', product)
  await world.makePair('issuerS', 'affiliateA', shared)
  return { pair, shared }
}

/** Everything that is none of A's business. */
export async function makeForeign(world: World, shared: Product) {
  await world.makeCompany('issuerB', 'affiliateB', 'affiliateS')
  await world.makeCompany('affiliateB', 'issuerB', 'issuerS')
  const product = await world.makeProduct('issuerB', 'affiliateB', 'affiliateS')
  const pair = await world.makePair('issuerB', 'affiliateB', product)
  await world.makePair('issuerB', 'affiliateS', product)
  await world.makePair('issuerS', 'affiliateB', shared)
  await world.makePair('issuerS', 'affiliateS', shared)
  return pair
}

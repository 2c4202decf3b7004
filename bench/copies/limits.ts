import { Agent } from 'node:http'
import { makeCommission, makeLead, makePair, makeStep, unique } from '#db/factories.ts'
import { ApiKeys } from '#server/companies/api-keys.ts'
import { SECRET } from '../clicks/world.ts'
import { type Figures, promise } from '../figures.ts'
import { type Answer, ask, expectStatus, type Question } from './ask.ts'
import type { Check } from './check.ts'
import { type CopiesWorld, makePerson, signIn } from './world.ts'

const count = (answers: Answer[], status: number): number => answers.filter((answer) => answer.status === status).length

/** `count` equal requests at once, half to each copy. */
async function together({ copies }: CopiesWorld, times: number, path: string, question: Question): Promise<Answer[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const answers = await Promise.all(
    Array.from({ length: times }, (_, number) =>
      ask((copies[number % 2] ?? copies[0]).port, path, { ...question, agent }),
    ),
  )
  agent.destroy()
  return answers
}

async function events(world: CopiesWorld): Promise<Figures> {
  const { db } = world
  const { ids, issuer } = await makePair(db)
  await makeCommission(db, ids)
  const step = await makeStep(db, { product_id: ids.product_id, is_payout_event: true, event_type_id: 3 })
  const lead = await makeLead(db, ids)
  const key = await new ApiKeys(db, SECRET).create(db, { issuerId: issuer.id }, 'api')
  const body = { tracking_id: lead.tracking_id, step_id: step.id, event_id: 'alta-1' }
  const answers = await together(world, 100, '/api/v1/events/lead-events/', { body, headers: { 'x-api-key': key } })
  const stored = await db.selectFrom('lead_event').select('id').where('lead_id', '=', lead.id).execute()
  const entries = await db.selectFrom('commission_entry').select('id').where('lead_id', '=', lead.id).execute()
  const [first, repeated] = [count(answers, 201), answers.filter(({ data }) => data?.duplicate === true).length]
  const figures = {
    'same event, sent': answers.length,
    stored: stored.length,
    commissions: entries.length,
    duplicates: repeated,
  }
  promise(first === 1 && repeated === 99, 'An event was not recognised by the other copy', figures)
  promise(stored.length === 1 && entries.length === 1, 'An event was stored twice', figures)
  return figures
}

async function idempotency(world: CopiesWorld): Promise<Figures> {
  const number = unique()
  const body = {
    company_name: `Portal de dos copias ${number}`,
    rfc: `COP010101${number.toString(36).toUpperCase().padStart(3, '0')}`,
    address: 'Av. Reforma 1, Ciudad de México',
    contact_name: 'Luz Contacto',
    contact_email: `copias${number}@pruebas.mx`,
  }
  const question = { body, token: world.token, headers: { 'idempotency-key': `copias-${number}` } }
  const answers = await together(world, 20, '/api/v1/affiliates/', question)
  const made = answers.filter(({ status }) => status === 201)
  const busy = count(answers, 409)
  for (const { port } of world.copies) made.push(await expectStatus(201, ask(port, '/api/v1/affiliates/', question)))
  const rows = await world.db.selectFrom('affiliate').select('id').where('rfc', '=', body.rfc).execute()
  const figures = { 'same form, sent': answers.length + 2, made: rows.length, 'asked to wait': busy }
  const ids = new Set(made.map(({ data }) => data.id))
  promise(rows.length === 1 && ids.size === 1, 'One form made more than one row', figures)
  promise(made.length + busy === answers.length + 2, 'One form was answered in another way', figures)
  return figures
}

async function renewals(world: CopiesWorld): Promise<Figures> {
  const { account } = await makePerson(world)
  const { refresh } = await signIn(world.copies[0].port, account)
  const answers = await together(world, 30, '/api/v1/token/refresh/', { body: { refresh } })
  const figures = { 'renewals of a session in a minute, of 30': count(answers, 200) }
  promise(count(answers, 200) === 10 && count(answers, 429) === 20, 'Renewals are not counted together', figures)
  return figures
}

/** Limits per copy, since they protect its processor and are counted in its memory. */
async function perCopy(world: CopiesWorld): Promise<Figures> {
  const { account } = await makePerson(world)
  const { access: token } = await signIn(world.copies[0].port, account)
  const since = performance.now()
  const asked = await together(world, 600, '/api/v1/auth/profile/', { token })
  const seconds = Math.ceil((performance.now() - since) / 1000)
  const { issuer } = await makePair(world.db)
  const key = await new ApiKeys(world.db, SECRET).create(world.db, { issuerId: issuer.id }, 'postback')
  const postbacksSince = performance.now()
  const path = `/api/v1/events/postback/?token=${key}&tracking_id=${crypto.randomUUID()}&event=aprobado`
  const answers = await together(world, 500, path, {})
  const fours = Math.ceil((performance.now() - postbacksSince) / 4000)
  const figures = {
    'requests of one user, of 600': `${count(asked, 200)} in ${seconds} s`,
    'postbacks of one token, of 500': `${count(answers, 404)} in ${fours * 4} s`,
  }
  promise(count(asked, 200) + count(asked, 429) === 600 && count(asked, 429) > 0, 'No limit for a user', figures)
  promise(count(asked, 200) <= 2 * 100 * (seconds + 1), 'A user got more than each copy grants', figures)
  promise(count(answers, 404) + count(answers, 429) === 500 && count(answers, 429) > 0, 'No limit for a token', figures)
  promise(count(answers, 404) <= 2 * 200 * (fours + 1), 'A token got more than each copy grants', figures)
  return figures
}

export const limits: Check = {
  name: 'limits',
  title: 'the same event, form or renewal through both copies at once counts once; rates are of each copy',
  run: async (world) => ({
    ...(await events(world)),
    ...(await idempotency(world)),
    ...(await renewals(world)),
    ...(await perCopy(world)),
  }),
}

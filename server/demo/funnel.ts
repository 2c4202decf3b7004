import { refusalReasons, reversalReasons } from './flows.ts'
import type { DemoEvent, DemoLead, PlacedStep } from './network.ts'
import type { Random } from './random.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const LATE_REFUSALS = 0.09

/** Sends a lead through its product's steps, as far as it comes before `now`. */
export function advanceLead(lead: DemoLead, quality: number, random: Random, now: number): void {
  const { steps } = lead.link
  const stages = steps.filter((step) => !step.refuses)
  let moment = lead.moment
  for (const [index, step] of stages.entries()) {
    // The quality of an affiliate's traffic shows in early steps; approvals depend on the issuer.
    const rate = index < 2 ? Math.min(0.95, step.rate * Math.sqrt(quality)) : step.rate
    if (!random.chance(rate)) {
      const refusal = steps.find(({ refuses }) => refuses === step.name)
      if (refusal && random.chance(refusal.rate)) {
        const refused = after(moment, refusal, random)
        record(lead, refusal, refused, { motivo: random.pick(refusalReasons) }, now)
      }
      return
    }
    moment = after(moment, step, random)
    record(lead, step, moment, detailOf(step, lead, random), now)
  }
  planLateRefusal(lead, moment, random, now)
}

const after = (moment: number, step: PlacedStep, random: Random): number =>
  Math.round(moment + random.spread(...step.delay) * MINUTE + random.int(0, 59_999))

function record(lead: DemoLead, step: PlacedStep, moment: number, data: DemoEvent['data'], now: number): void {
  if (moment <= now) lead.events.push({ lead, step, moment, data })
}

function planLateRefusal(lead: DemoLead, last: number, random: Random, now: number): void {
  const refusal = lead.link.steps.find((step) => step.type === 'rechazado')
  const once = lead.events.filter(({ step }) => step.pays).length === 1
  const moment = last + random.int(2 * 24, 60 * 24) * HOUR + random.int(0, 3_599_999)
  const motivo = random.pick(reversalReasons)
  if (refusal && random.chance(LATE_REFUSALS) && once && moment <= now)
    lead.lateRefusal = { lead, step: refusal, moment, data: { motivo } }
}

/** The issuer's data of an event: references and amounts, never a person's data. */
function detailOf(step: PlacedStep, lead: DemoLead, random: Random): DemoEvent['data'] {
  const folio = `${lead.link.issuer.slice(0, 3).toUpperCase()}-${random.int(100_000, 999_999)}`
  if (step.type === 'aprobado') return { folio, monto: (random.int(6, 180) * 500).toFixed(2) }
  if (step.type === 'entregado') return { folio, canal: random.pick(['app', 'sucursal', 'mensajería', 'SPEI']) }
  return random.chance(0.25) ? { canal: random.pick(['app', 'web']) } : null
}

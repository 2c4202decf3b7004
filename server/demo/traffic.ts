import { addDays, startOfDay } from '#contract/time.ts'
import { dayOfMonth, lastOfMonth, weekday } from './calendar.ts'
import { agents, type Campaign, habits } from './campaigns.ts'
import { advanceLead } from './funnel.ts'
import { DAYS, type DemoLead, LEADS, type Link, SEED } from './network.ts'
import { Random } from './random.ts'

const SUNDAY_TO_SATURDAY = [0.72, 1.12, 1.16, 1.1, 1.18, 1.02, 0.78]
const HOURS = [10, 5, 3, 2, 2, 4, 11, 22, 34, 45, 52, 58, 62, 60, 50, 46, 48, 51, 54, 60, 70, 74, 58, 28]
const hourWeights = HOURS.map((weight, hour) => [hour, weight] as const)

/** How busy a day is: growing from the first (0) to the last (1), less on weekends, more on paydays. */
export function busyness(date: string, place: number, random: Random): number {
  const growth = 0.7 + 0.6 * place
  const payday = [0, 1].some((days) =>
    [15, dayOfMonth(lastOfMonth(addDays(date, -days)))].includes(dayOfMonth(addDays(date, -days))),
  )
  return growth * (SUNDAY_TO_SATURDAY[weekday(date)] ?? 1) * (payday ? 1.28 : 1) * (0.9 + 0.2 * random.next())
}

/**
 * Ninety days of clicks and of what became of them, oldest first and none after `now`. Every lead has a generator of
 * its own, so that an hour later the same day has the same leads and a few more.
 */
export function makeLeads(links: readonly Link[], today: string, now: number): DemoLead[] {
  const random = new Random(SEED)
  const days = Array.from({ length: DAYS }, (_, index) => addDays(today, index - DAYS + 1))
  const shares = days.map((date, index) => busyness(date, index / DAYS, random))
  const total = shares.reduce((sum, share) => sum + share, 0)
  const leads = days.flatMap((date, index) => {
    const active = links.filter((link) => link.from <= startOfDay(date) && startOfDay(addDays(date, 1)) <= link.until)
    const count = Math.round(((shares[index] ?? 0) / total) * LEADS)
    return Array.from({ length: count }, (_, number) =>
      makeLead(active, startOfDay(date), new Random(SEED + index * 1000 + number), now),
    )
  })
  return leads.filter((lead) => lead.moment <= now).sort((a, b) => a.moment - b.moment)
}

function makeLead(links: readonly Link[], midnight: number, random: Random, now: number): DemoLead {
  const link = random.weighted(links.map((each) => [each, each.weight] as const))
  const campaign = pickCampaign(link, random)
  const lead = click(link, campaign, momentOf(midnight, random), random)
  advanceLead(lead, habits[link.affiliate].quality, random, now)
  return lead
}

export const pickCampaign = (link: Link, random: Random): Campaign =>
  random.weighted(habits[link.affiliate].campaigns.map((each) => [each, each.weight] as const))

/** A moment of the day that begins at `midnight`, weighted by the hour. */
export const momentOf = (midnight: number, random: Random): number =>
  midnight + (random.weighted(hourWeights) * 3600 + random.int(0, 3599)) * 1000 + random.int(0, 999)

/** A lead that has gone no further than the click. */
export function click(link: Link, campaign: Campaign, moment: number, random: Random): DemoLead {
  const habit = habits[link.affiliate]
  return {
    link,
    moment,
    tracking_id: random.trackingId(moment),
    external_id: habit.externalId(random),
    utm: utmOf(campaign, random),
    data: dataOf(campaign, habit.referer, random),
    events: [],
    lateRefusal: undefined,
  }
}

function utmOf(campaign: Campaign, random: Random): DemoLead['utm'] {
  return {
    utm_source: campaign.source,
    utm_medium: campaign.medium,
    utm_campaign: random.pick(campaign.campaigns),
    utm_term: campaign.terms ? random.pick(campaign.terms) : '',
    utm_content: campaign.contents ? random.pick(campaign.contents) : '',
  }
}

/** The `lead_data` of a click; addresses are truncated to their network and from documentation ranges. */
function dataOf(campaign: Campaign, referer: string, random: Random): Record<string, unknown> {
  const clickId = { google: 'gclid', facebook: 'fbclid', tiktok: 'ttclid' }[campaign.source]
  const network = random.pick(['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24'])
  return {
    params: clickId ? { [clickId]: random.hex(24) } : {},
    ip_trunc: network,
    ua_family: random.weighted(agents),
    ...(referer && { referer_host: referer }),
  }
}

import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { FiltersEngine, Request } from '@ghostery/adblocker'
import { expect, test } from 'vitest'
import { clientFiles, clientPath } from '#contract/clients.ts'
import { pathOf } from '#contract/endpoint.ts'
import { allEndpoints } from '#contract/endpoints.ts'
import { redirectPath } from '#contract/tracking.ts'

/**
 * Of the rules that hold on every site, what could stand in an address of an affiliate network: facts of EasyPrivacy
 * (easyprivacy_general.txt) and EasyList (easylist_general_block.txt), which uBlock Origin, Brave and Adblock Plus bring along.
 */
const RULES = [
  ...[
    '/api/v1/metrics',
    '/api/metrics$other',
    '/metrics/init?',
    '/metrics/track/*',
    '/metrics/survey/*',
    '/stats/metrics/*',
  ],
  ...[
    '/api/analytics/*',
    '/api/analytics?',
    '/analytics/event',
    '/analytics/report/*',
    '/analytics/v1/*',
    '/analytics.js?',
  ],
  ...[
    '/api/log?',
    '/api/stat?',
    '/api/v1/stat?',
    '/api/v1/collector',
    '/api/0/stats',
    '/stats/count.',
    '/stats/record/*',
  ],
  ...[
    '/api/tracking/*',
    '/api/v1/track/*',
    '/api/track?guid',
    '/tracking/click?',
    '/tracking/clicks',
    '/tracking/events/*',
  ],
  ...['/track/event/*', '/track/count/*', '/TrackClick.', '/track_click?', '/tracking_id_', '/tracking_link_cookie.'],
  ...['/affiliate-track.', '/affiliate-tracker.', '/affiliate/track?', '/AffiliateClick.', '/affiliatetracking/*'],
  ...[
    '/lead-tracking/*',
    '/leads-tracker-',
    '/leadgen_track',
    '/account-stats/*',
    '/activity_log.',
    '/activity-track/?',
  ],
  ...[
    '/impressions?',
    '/log/event?',
    '/log/report/*',
    '/logEvent?',
    '/telemetry/log/*',
    '/log_event?',
    '/js/tracking_',
  ],
  ...[
    '/assets/analytics-',
    '/assets/analytics.',
    '/assets/tracking-',
    '/assets/ga.js',
    '/assets/beacons.js',
    '/beacon.js',
  ],
  ...['-analytics-events.', '-tracking-pixel.', '-event-tracking.', '-click-tracker.', '-heatmaps-analytics/'],
  ...[
    '/admin/banners/*',
    '/admin/sponsors/*',
    '/ad_campaigns/*',
    '/adcampaigns/*',
    '/adlink.',
    '/adclick.',
    '/adnetwork/*',
  ],
]

const ORIGIN = 'https://red.afluente.mx'
const blocker = FiltersEngine.parse(RULES.join('\n'))
const isBlocked = (path: string, type: 'xhr' | 'script' | 'stylesheet' | 'font' | 'image' | 'document'): boolean =>
  blocker.match(Request.fromRawDetails({ url: ORIGIN + path, sourceUrl: `${ORIGIN}/app/admin/dashboard`, type })).match

const params = new Proxy({}, { get: () => '1' })

test('the engine stops what its lists name', () => {
  const former = allEndpoints.flatMap(({ endpoint: { alias } }) => (alias ? pathOf(alias, params) : []))
  expect(former.filter((path) => !isBlocked(path, 'xhr'))).toEqual([])
  expect(isBlocked('/assets/tracking-BqwCnq9d.js', 'script')).toBe(true)
})

test('no blocker stops a call of our screens, nor a link of an affiliate', () => {
  const paths = allEndpoints.map(({ endpoint }) => pathOf(endpoint, params))
  const asked = [...paths, ...paths.map((path) => `${path}?from=2026-10-01&to=2026-10-31&page=1&page_size=50&search=a`)]
  expect(asked.filter((path) => isBlocked(path, 'xhr'))).toEqual([])
  const link = `${redirectPath(1)}?product_id=1&external_id=a&utm_source=b&utm_medium=c&utm_campaign=d&sub1=e&gclid=f`
  expect([link, ...Object.keys(clientFiles).map(clientPath)].filter((path) => isBlocked(path, 'document'))).toEqual([])
})

const TYPES = { js: 'script', css: 'stylesheet', woff2: 'font', png: 'image', svg: 'image', webp: 'image' } as const

test('no blocker stops a file of the built pages', () => {
  const root = join(import.meta.dirname, '..')
  execFileSync(process.execPath, [join(root, 'scripts/build.mjs')], { cwd: root, stdio: 'inherit' })
  const files = readdirSync(join(root, 'dist/web'), { recursive: true, encoding: 'utf8' })
  const typeOf = (file: string) => TYPES[file.split('.').pop() as keyof typeof TYPES]
  const asked = files.filter(typeOf)
  expect(asked.length).toBeGreaterThan(100)
  expect(asked.filter((file) => isBlocked(`/${file}`, typeOf(file)))).toEqual([])
})

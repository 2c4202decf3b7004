import { isIP } from 'node:net'
import { isbot } from 'isbot'

export interface Visitor {
  kind: 'person' | 'bot' | 'preview'
  /** Browser and system, e.g. `Chrome Android`; no versions, which would tell people apart. */
  family: string
  /** What looked odd without being a reason to refuse the lead. */
  flags: string[]
}

/** Chats and networks that fetch a link to show a preview of it. */
const PREVIEW =
  /^whatsapp|facebookexternalhit|facebot|facebookcatalog|twitterbot|telegrambot|linkedinbot|slackbot|slack-imgproxy|discordbot|skypeuripreview|microsoftpreview|bingpreview|pinterestbot|redditbot|^snapchat|vkshare|embedly|iframely|link ?preview|web preview|mastodon\/|bluesky|google-pagerenderer/i

/** What names itself a bot or a fetcher (D85). CUBOT makes telephones. */
const NAMED =
  /(?<!\bcu)bots?(?![a-z])|crawl|spider|slurp|scrap(?:er|ing|y\b)|fetcher|\barchiver\b|heritrix|httrack|nutch|validator|lighthouse|pagespeed|gtmetrix|ptst\/|pingdom|statuscake|site24x7|uptime|datadog|newrelic|checkly|catchpoint|blackbox exporter|health ?check|kube-probe|stackdriver|monitoring\b|externalagent|inspectiontool|googleother|mediapartners|adsbot|apis-google|google-(?:safety|read-aloud|extended|adwords|site-verification)|google favicon|imageproxy|mailproxy|(?:chatgpt|claude|perplexity|mistralai|manus)-user|anthropic-ai|claude-web|cohere-ai|botify|semrush|ahrefs|screaming frog|netcraft|censys|expanse|nikto|nmap|sqlmap|zgrab|masscan|panscient|wappalyzer|feedly|newsblur|tiny tiny rss|rss ?reader|ia_archiver|w3c[_-]/i

/**
 * HTTP libraries and tools: affiliates' servers, native apps and monitoring send real clicks through them, so they are
 * flagged, not refused.
 */
const AUTOMATED =
  /^(?:curl|wget|node|undici|axios|got|python|okhttp|go-http-client|java|apache-httpclient|libwww|ruby|faraday|php|guzzlehttp|postman|insomnia|dart|dalvik|k6|grafana k6|wrk|autocannon)\b|cfnetwork|headless|playwright/i

const browsers: [RegExp, string][] = [
  [/FBA[NV]/, 'Facebook'],
  [/Instagram/, 'Instagram'],
  [/musical_ly|bytedance|tiktok/i, 'TikTok'],
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser/, 'Samsung Internet'],
  [/Firefox|FxiOS/, 'Firefox'],
  [/Chrom(?:e|ium)|CriOS/, 'Chrome'],
  [/Safari/, 'Safari'],
]
const systems: [RegExp, string][] = [
  [/Android/, 'Android'],
  [/iPhone|iPad|iPod/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

const nameIn = (list: [RegExp, string][], userAgent: string): string | undefined =>
  list.find(([pattern]) => pattern.test(userAgent))?.[1]

export function readVisitor(userAgent: string): Visitor {
  const family = [nameIn(browsers, userAgent) ?? 'Otro', nameIn(systems, userAgent)].filter(Boolean).join(' ')
  if (userAgent === '') return { kind: 'person', family, flags: ['no_user_agent'] }
  if (PREVIEW.test(userAgent)) return { kind: 'preview', family, flags: [] }
  if (AUTOMATED.test(userAgent)) return { kind: 'person', family, flags: ['automated'] }
  if (NAMED.test(userAgent)) return { kind: 'bot', family, flags: [] }
  // By its shape alone: an app of a bank, an old telephone, Office that hands the address on to a browser (D85).
  return { kind: 'person', family, flags: isbot(userAgent) ? ['automated_guess'] : [] }
}

const CACHED_MAX = 5_000
const CACHED_LENGTH_MAX = 512
const cached = new Map<string, Visitor>()

/** Cached: the same few thousand user agents repeat, and the patterns above are the costliest part of a click. */
export function visitorOf(userAgent: string): Visitor {
  const known = cached.get(userAgent)
  if (known) return known
  const visitor = readVisitor(userAgent.slice(0, CACHED_LENGTH_MAX))
  if (cached.size >= CACHED_MAX) cached.clear()
  if (userAgent.length <= CACHED_LENGTH_MAX) cached.set(userAgent, visitor)
  return visitor
}

const FOURTH_VERSION = /^(?:::ffff:)?(\d+\.\d+\.\d+)\.\d+$/i
const THREE_GROUPS = /^(?:[\da-f]+:){3}/i

/** The network a visitor came from: enough to see fraud, too little to find a person. */
export function truncateAddress(address: string): string {
  const version = isIP(address)
  const [, network] = (version && FOURTH_VERSION.exec(address)) || []
  if (network) return `${network}.0/24`
  if (version !== 6) return ''
  const [written] = THREE_GROUPS.exec(address) ?? []
  return `${(written ?? firstGroups(address)).toLowerCase()}:/48`
}

/** The first three groups of an address that omits some of them (`::`), zeros restored. */
function firstGroups(address: string): string {
  const [head = '', tail = ''] = address.split('::')
  const [groups, rest] = [head, tail].map((part) => part.split(':').filter(Boolean)) as [string[], string[]]
  const zeros = Array.from({ length: 8 - groups.length - rest.length }, () => '0')
  return `${[...groups, ...zeros, ...rest].slice(0, 3).join(':')}:`
}

export const hostOf = (address: string | undefined): string =>
  (address && URL.parse(address)?.hostname.slice(0, 255)) || ''

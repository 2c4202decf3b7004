import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

const PORTS = ['', '443', '8443']
export const LOOPBACK = '127.0.0.1'
/** Names that no public directory has. */
const INNER_NAME = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|private|arpa)$/

export interface Reach {
  /** Our own name, which nobody may have us call. */
  ownHost: string
  /** Calls 127.0.0.1 too, at any port and without TLS: a setting of the operator, for trials on one machine. */
  loopback: boolean
}

/** Whether an address may be called at all, before its name is resolved (security 2.8). */
export function isCallable(url: URL, { ownHost, loopback }: Reach): boolean {
  if (loopback && url.hostname === LOOPBACK) return true
  const host = url.hostname.replace(/\.$/, '')
  return (
    url.protocol === 'https:' &&
    PORTS.includes(url.port) &&
    url.username === '' &&
    url.password === '' &&
    host.includes('.') &&
    isIP(host.replace(/^\[|\]$/g, '')) === 0 &&
    !INNER_NAME.test(host) &&
    host !== ownHost
  )
}

/** Whether an address belongs to a machine on the public internet, and not to ours. An IPv4 address in IPv6 is judged as what it is. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  return (
    parsed.range() === 'unicast' && parsed.toString() !== AZURE_HOST && isAssigned(parsed) && !isOwn(parsed.toString())
  )
}

/** Answers machines of Azure alone, with what is theirs, at an address that looks like any other. */
const AZURE_HOST = '168.63.129.16'

/** Of IPv6 no other part is given out; among the rest are old forms of IPv4 addresses, such as `::7f00:1`. */
const [GLOBAL, GLOBAL_BITS] = ipaddr.IPv6.parseCIDR('2000::/3')
const isAssigned = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  !(address instanceof ipaddr.IPv6) || address.match(GLOBAL, GLOBAL_BITS)

const isOwn = (address: string): boolean =>
  Object.values(networkInterfaces()).some((some) => some?.some((each) => each.address === address))

import { isIPv4 } from 'node:net'

/** The /24 of an IPv4 address, the /64 of an IPv6 one: what one customer of a provider usually holds. */
export const networkOf = (address: string): string => networksOf(address)[0].name

interface Network {
  name: string
  /** How many times as many failures it may have. */
  allowance: number
}

/** Narrowest first; of IPv6 also the /56 and the /48, since one customer may hold as much. */
export function networksOf(address: string): [Network, ...Network[]] {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
  if (isIPv4(plain)) return [{ name: plain.split('.').slice(0, 3).join('.'), allowance: 1 }]
  const [head = '', tail] = plain.toLowerCase().split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail?.split(':').filter(Boolean) ?? []
  const zeros = Array(Math.max(0, 8 - left.length - right.length)).fill('0')
  const groups = tail === undefined ? left : [...left, ...zeros, ...right]
  const [a, b, c, d = ''] = groups.map((group) => group.replace(/^0+(?=.)/, ''))
  const site = [a, b, c].join(':')
  return [
    { name: `${site}:${d}`, allowance: 1 },
    { name: `${site}:${d.padStart(4, '0').slice(0, 2)}/56`, allowance: 2 },
    { name: `${site}/48`, allowance: 4 },
  ]
}

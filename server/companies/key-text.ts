import { randomBytes, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { KeyKind } from '#contract/companies.ts'

export type KeyOwner = { issuerId: number } | { affiliateId: number }

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SHAPE = /^(iss|aff|pbt|net)_[0-9A-Za-z]{4}_[0-9A-Za-z]{42}$/
const PREFIX_LENGTH = 8
const SIGNING_TYPE = 'whsec_'
const SIGNING_BYTES = 32

/** What may be shown of a key to identify it: its type and a few characters, which are of no use to guess it. */
export const prefixOf = (key: string): string => key.slice(0, PREFIX_LENGTH)

const typeOf = (owner: KeyOwner, kind: KeyKind): string => {
  if (kind === 'postback') return 'pbt'
  return 'issuerId' in owner ? 'iss' : 'aff'
}

/** 40 random characters of 62 are 238 bits; the checksum lets a mistyped key be refused without a look into the database. */
export function newKey(owner: KeyOwner, kind: KeyKind): string {
  if (kind === 'signing') return SIGNING_TYPE + randomBytes(SIGNING_BYTES).toString('base64')
  return readableKey(typeOf(owner, kind))
}

export const newNetworkKey = (): string => readableKey('net')

function readableKey(type: string): string {
  const key = `${type}_${randomText(4)}_${randomText(40)}`
  return key + checksum(key)
}

/** The bytes that sign, as Standard Webhooks writes them. */
export const signingBytes = (secret: string): Buffer => Buffer.from(secret.slice(SIGNING_TYPE.length), 'base64')

const randomText = (length: number): string =>
  Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

function checksum(text: string): string {
  const sum = crc32(text) % ALPHABET.length ** 2
  return `${ALPHABET[Math.floor(sum / ALPHABET.length)]}${ALPHABET[sum % ALPHABET.length]}`
}

export const isWellFormed = (key: string): boolean => SHAPE.test(key) && checksum(key.slice(0, -2)) === key.slice(-2)

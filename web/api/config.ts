import { parseUrl } from '#contract/web-address.ts'

const KEY = 'afluente.config'

/** Where the API lives: the stored `urlBase`, else this same origin (the empty text). */
export function apiBase(storage: Pick<Storage, 'getItem'> = localStorage): string {
  const stored = storage.getItem(KEY)
  return stored ? usableBase(urlBaseOf(stored)) : ''
}

function urlBaseOf(stored: string): string {
  try {
    const config: unknown = JSON.parse(stored)
    const base = (config as { urlBase?: unknown } | null)?.urlBase
    return typeof base === 'string' ? base : ''
  } catch (error) {
    console.error(`${KEY} no es JSON válido; se usa el mismo origen`, error)
    return ''
  }
}

/**
 * Anybody at the machine can write local storage, and the sign-in sends a password to this address: plain http only to
 * localhost.
 */
function usableBase(base: string): string {
  if (base === '') return ''
  const url = parseUrl(base)
  const local = url?.hostname === 'localhost' || url?.hostname === '127.0.0.1'
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && local)) return base.replace(/\/+$/, '')
  console.error(`${KEY}: urlBase rechazada: ${base}`)
  return ''
}

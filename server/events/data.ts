import { createHmac } from 'node:crypto'
import { cleanText } from '#contract/fields.ts'
import { isSecretName, maskPersonal, maskPrivate, SECRET_OMITTED, type Warning } from '../privacy/mask.ts'

/**
 * The data of an event as we store it: text cleaned, and masked what belongs in no event: cards, CURPs, CLABEs, codes
 * (mexico 4.6). The warnings are for the sender.
 */
export function cleanEventData<T>(data: T): { data: T; warnings: Warning[] } {
  const warnings = new Set<Warning>()
  const onMask = (warning: Warning) => warnings.add(warning)
  const cleaned = mapTexts(data, (text) => maskPrivate(cleanText(text), onMask), onMask)
  return { data: cleaned as T, warnings: [...warnings] }
}

type OnMask = (warning: Warning) => void

function mapTexts(value: unknown, onText: (text: string) => string, onMask: OnMask): unknown {
  if (typeof value === 'string') return onText(value)
  if (typeof value === 'number') {
    const text = String(value)
    const masked = onText(text)
    return masked === text ? value : masked
  }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((child) => mapTexts(child, onText, onMask))
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => {
      if (!isSecretName(key) || child === null || child === '') return [onText(key), mapTexts(child, onText, onMask)]
      onMask('SECRET_MASKED')
      return [key, SECRET_OMITTED]
    }),
  )
}

/**
 * A sender's own id of something, masked. Two ids stay two and one sent again stays one: a digest of the whole follows,
 * with a key, since so few cards exist that a plain one would give the card away.
 */
export function maskId(key: Uint8Array, id: string, onMask: OnMask): string {
  const masked = maskPersonal(id, onMask)
  return masked === id ? id : `${masked}#${createHmac('sha256', key).update(id).digest('hex').slice(0, 16)}`
}

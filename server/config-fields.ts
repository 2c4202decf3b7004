// How single settings are written.
import { z } from 'zod'

export const whole = (from: number, to: number) => {
  const message = `debe ser un número entero de ${from} a ${to}`
  return z
    .string()
    .regex(/^\d{1,6}$/, message)
    .transform(Number)
    .pipe(z.number().min(from, message).max(to, message))
}

/** PostgreSQL's tools allow several hosts with commas; the driver would take them for one name. */
const namesOneHost = (url: string): boolean => !url.slice(url.lastIndexOf('@')).split('/')[0]?.includes(',')

export const DatabaseAddress = z
  .string()
  .refine(namesOneHost, { message: 'lleva un solo equipo: el que manda a la primaria', abort: true })
  .pipe(
    z.url({
      protocol: /^postgres(ql)?$/,
      message: 'debe tener la forma postgres://usuario:contraseña@equipo:puerto/base',
    }),
  )

export const Switch = z.enum(['0', '1'], 'debe ser 0 o 1').transform((value) => value === '1')
export const WebAddress = z
  .url({ protocol: /^https?$/, message: 'debe ser una dirección http:// o https://' })
  .refine((url) => !/[?#]/.test(url), 'no debe llevar ? ni #')
  .transform((url) => url.replace(/\/+$/, ''))
export const SupportAddress = z.url({
  protocol: /^(https?|mailto|tel)$/,
  message: 'debe ser una dirección https://, mailto: o tel:',
})
export const Origin = z
  .string()
  .refine(
    (text) => URL.parse(text)?.origin === text && /^https?:\/\/[\w.:[\]-]+$/.test(text),
    'debe ser una lista de orígenes separados por comas, como https://app.ejemplo.mx',
  )

export const listOf = (origin: z.ZodString) =>
  z
    .string()
    .default('')
    .transform((list) =>
      list
        .split(',')
        .map((text) => text.trim())
        .filter(Boolean),
    )
    .pipe(z.array(origin))

const ADDRESS = '[^\\s<>@",;:]+@[^\\s<>@",;:]+'
export const SENDER = new RegExp(`^(?:${ADDRESS}|[^<>"\\r\\n]+ <${ADDRESS}>)$`)

export const Host = z.string().regex(/^[\w.:-]+$/, 'debe ser una dirección IP o un nombre de equipo')

const SECRET_MIN = 32
const SAMPLE_WORDS =
  /change|cambi[ae]|ejemplo|example|sample|secreto?|s3cr3t|passw(or|0r)d|contrase[nñ]a|default|test|prueba|1234567890|0123456789|abcdef/gi

/** Whether it cannot be guessed: without the sample words of guides it is still long and varied. */
export function isStrongSecret(secret: string): boolean {
  const rest = secret.replace(SAMPLE_WORDS, '')
  return rest.length >= SECRET_MIN && new Set(rest).size >= 10
}

export const Secret = z
  .string()
  .refine(isStrongSecret, `debe ser un texto al azar de al menos ${SECRET_MIN} caracteres (openssl rand -hex 32)`)

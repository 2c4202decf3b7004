/** Files for a program of somebody else: what sends and verifies, the types of what keys open, and what reads with them. */
export const clientFiles = {
  'afluente.ts': 'Cliente de TypeScript',
  'afluente.php': 'Cliente de PHP',
  'afluente-api.ts': 'Tipos de TypeScript',
  'leads.ts': 'Ejemplo con tipos',
} as const
export type ClientFile = keyof typeof clientFiles

export const clientPath = (file: string): string => `/api/docs/clientes/${file}`

/** What a programmer reads beside the reference. */
export const guides = {
  'desde-tu-codigo': 'Desde tu código',
  'postbacks-y-webhooks': 'Postbacks y webhooks',
} as const
export type Guide = keyof typeof guides

export const guidePath = (guide: string): string => `/api/docs/${guide}`

/** Files for a program of somebody else: what sends and verifies, and the types of what keys open. */
export const clientFiles = {
  'afluente.ts': 'Cliente de TypeScript',
  'afluente.php': 'Cliente de PHP',
  'afluente-api.ts': 'Tipos de TypeScript',
} as const
export type ClientFile = keyof typeof clientFiles

export const clientPath = (file: string): string => `/api/docs/clientes/${file}`

import { z } from 'zod'

/** What can be read with a key, in parts: leads with their events, money, and the lists and tables that hold more. */
export type KeyPart = 'leads' | 'money' | 'rest'

/** What a key of the network opens. A company's key opens every part, of that company alone. */
export const KeyScope = z.enum(['leads', 'money', 'all'], 'El alcance no es válido')
export type KeyScope = z.infer<typeof KeyScope>
export const keyScopeLabels: Record<KeyScope, string> = {
  leads: 'Leads y eventos',
  money: 'Dinero',
  all: 'Todo de lectura',
}

export const opens = (scope: KeyScope, part: KeyPart): boolean => scope === 'all' || scope === part

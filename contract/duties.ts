import { z } from 'zod'

/** What a person does in their company, or in the network: part of what the role may do. */
export const Duty = z.enum(['owner', 'operator', 'finance', 'reader'], 'El perfil no es válido')
export type Duty = z.infer<typeof Duty>
export const dutyLabels: Record<Duty, string> = {
  owner: 'Responsable',
  operator: 'Operación',
  finance: 'Finanzas',
  reader: 'Consulta',
}

/** What a call changes: nothing but what is one's own, the operation, money, or who may do what. */
export type Need = 'own' | 'operate' | 'money' | 'people'

const needs: Record<Duty, readonly Need[]> = {
  owner: ['own', 'operate', 'money', 'people'],
  operator: ['own', 'operate'],
  finance: ['own', 'money'],
  reader: ['own'],
}

/** What a call needs that does not say so. */
export const needOf = ({ method, need }: { method: string; need?: Need | undefined }): Need =>
  need ?? (method === 'GET' ? 'own' : 'operate')

export const fulfils = (duty: Duty, need: Need): boolean => needs[duty].includes(need)
/** Keys act for the company, so that who may change nothing must not read them either. */
export const seesKeys = (duty: Duty): boolean => fulfils(duty, 'operate')

/** Why somebody changes nothing, whatever their duty: an administrator sees as them, or their company is inactive (D8). */
export const ReadsOnly = z.enum(['view', 'company'])
export type ReadsOnly = z.infer<typeof ReadsOnly>
export const VIEW_ONLY = 'Ves Afluente como otra persona: solo puedes consultar'
const readsOnlyTexts: Record<ReadsOnly, string> = {
  view: VIEW_ONLY,
  company: 'La empresa está inactiva: solo es posible consultar',
}

/** Why they may not make a call; undefined where they may. A view changes not even what is the person's own. */
export const readsOnlyRefusal = (
  reads: ReadsOnly | null,
  call: { method: string; need?: Need | undefined },
): string | undefined =>
  reads && call.method !== 'GET' && (reads === 'view' || needOf(call) !== 'own') ? readsOnlyTexts[reads] : undefined

const READS_ONLY = 'Tu perfil es de consulta'
export const NOT_OF_DUTY = 'Tu perfil no incluye esta acción'

/** Why somebody with this duty may not make a change; undefined where they may. */
export const refusalOf = (duty: Duty, need: Need): string | undefined => {
  if (fulfils(duty, need)) return undefined
  return duty === 'reader' ? READS_ONLY : NOT_OF_DUTY
}

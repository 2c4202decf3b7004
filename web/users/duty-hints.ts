import { Duty, dutyLabels } from '#contract/duties.ts'

export const dutyOptions = Duty.options.map((value) => ({ value, label: dutyLabels[value] }))

/** What somebody with this duty can do, in the words of the form. */
export const dutyHints: Record<Duty, string> = {
  owner: 'Puede todo lo de su rol, también a las personas y las claves.',
  operator:
    'Empresas, relaciones, productos, pasos y leads; ve las claves de su empresa. No cambia montos, pagos ni personas.',
  finance: 'Comisiones, montos, condiciones, aprobaciones y pagos. Lo demás lo consulta.',
  reader: 'Consulta todo lo de su rol y no cambia nada.',
}

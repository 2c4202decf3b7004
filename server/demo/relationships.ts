import type { AffiliateKey, IssuerKey } from './companies.ts'

export interface DemoRelationship {
  affiliate: AffiliateKey
  issuer: IssuerKey
  notes: string
  /** How many days ago it began and ended; the links of an ended one answer 410. */
  sinceDaysAgo?: number
  endedDaysAgo?: number
}

export const relationships: readonly DemoRelationship[] = [
  {
    affiliate: 'comparaycuadra',
    issuer: 'altaluz',
    notes: 'Convenio marco firmado; comisiones revisadas cada semestre. Corte mensual, pago por SPEI.',
  },
  {
    affiliate: 'comparaycuadra',
    issuer: 'tlanextli',
    notes: 'Prueba de tres meses con tabla comparativa de cuentas digitales.',
  },
  {
    affiliate: 'comparaycuadra',
    issuer: 'nogalera',
    notes: 'Solo estados del norte y Bajío. Reporte de rechazos los lunes.',
  },
  { affiliate: 'comparaycuadra', issuer: 'caminollano', notes: '' },
  {
    affiliate: 'pesoapesito',
    issuer: 'altaluz',
    notes: 'Blog con audiencia joven; enviar textos legales antes de publicar.',
  },
  { affiliate: 'pesoapesito', issuer: 'tlanextli', notes: 'Guías de ahorro y de primera tarjeta.' },
  { affiliate: 'pesoapesito', issuer: 'nogalera', notes: '' },
  { affiliate: 'finanzasconlupa', issuer: 'altaluz', notes: 'Boletín semanal de los jueves, 42 mil suscriptores.' },
  { affiliate: 'finanzasconlupa', issuer: 'tlanextli', notes: '' },
  { affiliate: 'finanzasconlupa', issuer: 'nogalera', notes: 'Reseñas independientes; no pedir cambios editoriales.' },
  {
    affiliate: 'tuquincena',
    issuer: 'altaluz',
    notes: 'Espacios patrocinados en quincena. Contacto comercial: Paola.',
  },
  { affiliate: 'tuquincena', issuer: 'nogalera', notes: '' },
  {
    affiliate: 'tuquincena',
    issuer: 'caminollano',
    notes: 'Concluida a petición del medio; se puede reactivar.',
    endedDaysAgo: 38,
  },
  { affiliate: 'onceveinte', issuer: 'altaluz', notes: 'Once creadores; cada uno usa su propio external_id.' },
  { affiliate: 'onceveinte', issuer: 'tlanextli', notes: 'Campaña de historias y videos cortos.' },
  {
    affiliate: 'marchante',
    issuer: 'tlanextli',
    notes: 'Cashback para sus usuarios; external_id = id de usuario.',
    sinceDaysAgo: 68,
  },
  {
    affiliate: 'marchante',
    issuer: 'nogalera',
    notes: 'Suspendida: tráfico incentivado fuera de lo acordado.',
    endedDaysAgo: 21,
  },
  { affiliate: 'ruedas', issuer: 'caminollano', notes: 'Cotizador propio; manda modelo y enganche en external_id.' },
  { affiliate: 'ruedas', issuer: 'altaluz', notes: '' },
  {
    affiliate: 'mafer',
    issuer: 'altaluz',
    notes: 'Persona física; factura honorarios con retenciones.',
    sinceDaysAgo: 57,
  },
  { affiliate: 'mafer', issuer: 'tlanextli', notes: '', sinceDaysAgo: 52 },
]

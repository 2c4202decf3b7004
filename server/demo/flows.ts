/** Data, longer than code may be: the steps of every kind of product, read as one table. */
import type { eventTypeNames } from '#contract/event-steps.ts'

type EventTypeName = (typeof eventTypeNames)[number]
export type FlowKey = 'creditCard' | 'loan' | 'account' | 'wallet' | 'securedCard' | 'microcredit' | 'autoLoan'

export interface DemoStep {
  type: EventTypeName
  name: string
  description: string
  pays?: true
  /** Share of the leads at the step before that come this far. */
  rate: number
  /** Minutes after the step before, from the quickest to the slowest. */
  delay: readonly [from: number, to: number]
  /** The refusal of leads that did not reach the named step; not a stage of its own. */
  refuses?: string
}

const MINUTE = 1
const HOUR = 60
const DAY = 24 * HOUR

/** Each flow in the order of its steps; a step with `refuses` is the exit instead of the step it names. */
export const flows: Record<FlowKey, readonly DemoStep[]> = {
  creditCard: [
    {
      type: 'step_1',
      name: 'Solicitud iniciada',
      description: 'La persona abrió el formulario y dejó su teléfono.',
      rate: 0.44,
      delay: [MINUTE, 20],
    },
    {
      type: 'step_2',
      name: 'Solicitud completa',
      description: 'Datos, ingresos y autorización de consulta al buró.',
      rate: 0.58,
      delay: [4, 3 * HOUR],
    },
    {
      type: 'aprobado',
      name: 'Tarjeta aprobada',
      description: 'El área de crédito aprobó la línea. Genera comisión.',
      pays: true,
      rate: 0.37,
      delay: [30, 3 * DAY],
    },
    {
      type: 'rechazado',
      name: 'Solicitud rechazada',
      description: 'No cumple la política de crédito.',
      rate: 0.85,
      delay: [20, 2 * DAY],
      refuses: 'Tarjeta aprobada',
    },
    {
      type: 'entregado',
      name: 'Plástico entregado',
      description: 'La mensajería confirmó la entrega.',
      rate: 0.9,
      delay: [3 * DAY, 9 * DAY],
    },
  ],
  loan: [
    { type: 'step_1', name: 'Simulación', description: 'Eligió monto y plazo.', rate: 0.52, delay: [MINUTE, 15] },
    {
      type: 'step_2',
      name: 'Documentos cargados',
      description: 'Identificación, comprobante de domicilio e ingresos.',
      rate: 0.41,
      delay: [10, DAY],
    },
    {
      type: 'aprobado',
      name: 'Crédito autorizado',
      description: 'Oferta final aceptable para la persona.',
      rate: 0.39,
      delay: [2 * HOUR, 4 * DAY],
    },
    {
      type: 'rechazado',
      name: 'Crédito rechazado',
      description: 'Capacidad de pago o historial insuficiente.',
      rate: 0.8,
      delay: [HOUR, 3 * DAY],
      refuses: 'Crédito autorizado',
    },
    {
      type: 'entregado',
      name: 'Dinero depositado',
      description: 'Dispersión por SPEI. Genera comisión.',
      pays: true,
      rate: 0.86,
      delay: [3 * HOUR, 4 * DAY],
    },
  ],
  account: [
    {
      type: 'step_1',
      name: 'Registro',
      description: 'Correo y teléfono verificados.',
      rate: 0.49,
      delay: [MINUTE, 30],
    },
    {
      type: 'step_2',
      name: 'Identidad verificada',
      description: 'Identificación y prueba de vida.',
      rate: 0.6,
      delay: [3, DAY],
    },
    {
      type: 'aprobado',
      name: 'Cuenta abierta',
      description: 'Contrato firmado en línea.',
      rate: 0.88,
      delay: [2, 6 * HOUR],
    },
    {
      type: 'entregado',
      name: 'Primer depósito de $500',
      description: 'Depósito dentro de los primeros 30 días. Genera comisión.',
      pays: true,
      rate: 0.47,
      delay: [2 * HOUR, 14 * DAY],
    },
  ],
  wallet: [
    {
      type: 'step_1',
      name: 'Aplicación instalada',
      description: 'Primera apertura desde el enlace.',
      rate: 0.46,
      delay: [2, 3 * HOUR],
    },
    {
      type: 'step_2',
      name: 'Registro completo',
      description: 'Identidad y contrato aceptados.',
      rate: 0.57,
      delay: [3, DAY],
    },
    {
      type: 'aprobado',
      name: 'Primera operación',
      description: 'Depósito, compra o pago de servicio. Genera comisión.',
      pays: true,
      rate: 0.55,
      delay: [10, 6 * DAY],
    },
  ],
  securedCard: [
    { type: 'step_1', name: 'Registro', description: 'Teléfono verificado.', rate: 0.43, delay: [MINUTE, HOUR] },
    {
      type: 'step_2',
      name: 'Depósito en garantía',
      description: 'Desde $1,000 por SPEI o efectivo.',
      rate: 0.38,
      delay: [20, 5 * DAY],
    },
    {
      type: 'aprobado',
      name: 'Línea activada',
      description: 'Genera comisión.',
      pays: true,
      rate: 0.93,
      delay: [5, 8 * HOUR],
    },
    {
      type: 'rechazado',
      name: 'Depósito devuelto',
      description: 'Los datos no coinciden con la identificación.',
      rate: 0.7,
      delay: [HOUR, 2 * DAY],
      refuses: 'Línea activada',
    },
  ],
  microcredit: [
    {
      type: 'step_1',
      name: 'Solicitud',
      description: 'Datos personales y cuenta CLABE.',
      rate: 0.61,
      delay: [MINUTE, 12],
    },
    {
      type: 'step_2',
      name: 'Firma del contrato',
      description: 'Firma electrónica con código por mensaje.',
      rate: 0.33,
      delay: [3, 2 * HOUR],
    },
    {
      type: 'rechazado',
      name: 'Solicitud rechazada',
      description: 'Respuesta automática.',
      rate: 0.55,
      delay: [2, 30],
      refuses: 'Firma del contrato',
    },
    {
      type: 'aprobado',
      name: 'Primer microcrédito depositado',
      description: 'Solo clientes nuevos. Genera comisión.',
      pays: true,
      rate: 0.92,
      delay: [2, HOUR],
    },
    {
      type: 'entregado',
      name: 'Liquidado a tiempo',
      description: 'Pagó en la fecha pactada. Genera una segunda comisión.',
      pays: true,
      rate: 0.41,
      delay: [26 * DAY, 31 * DAY],
    },
  ],
  autoLoan: [
    { type: 'step_1', name: 'Cotización', description: 'Auto, enganche y plazo.', rate: 0.57, delay: [2, 25] },
    {
      type: 'step_2',
      name: 'Precalificación',
      description: 'Consulta al buró autorizada.',
      rate: 0.4,
      delay: [10, DAY],
    },
    {
      type: 'step_2',
      name: 'Expediente completo',
      description: 'Documentos recibidos por el ejecutivo.',
      rate: 0.52,
      delay: [DAY, 6 * DAY],
    },
    {
      type: 'aprobado',
      name: 'Crédito aprobado',
      description: 'Comité de crédito.',
      rate: 0.62,
      delay: [DAY, 4 * DAY],
    },
    {
      type: 'rechazado',
      name: 'Crédito rechazado',
      description: 'Comité de crédito.',
      rate: 0.85,
      delay: [DAY, 3 * DAY],
      refuses: 'Crédito aprobado',
    },
    {
      type: 'entregado',
      name: 'Auto entregado',
      description: 'Firma y entrega en agencia. Genera comisión.',
      pays: true,
      rate: 0.78,
      delay: [3 * DAY, 11 * DAY],
    },
  ],
}

export const refusalReasons = [
  'Historial de crédito insuficiente',
  'Ingresos no comprobables',
  'Atrasos vigentes en buró',
  'Edad fuera de rango',
  'Datos no coinciden con la identificación',
  'Solicitud duplicada',
] as const

/** Why an earned commission is reversed. */
export const reversalReasons = [
  'Cancelación dentro del periodo de gracia',
  'Solicitud con datos de un tercero',
  'Cliente ya existente',
] as const

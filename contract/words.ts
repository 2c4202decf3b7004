import type { EventRefusal } from './event-refusals.ts'

/** What people read for the words of machines; these stay as they are in the API, in exports and behind 'Ver datos'. */
const names = {
  eventType: {
    click: 'Clic',
    step_1: 'Avance 1',
    step_2: 'Avance 2',
    aprobado: 'Aprobado',
    rechazado: 'Rechazado',
    entregado: 'Entregado',
    reactivado: 'Reactivado',
  },
  source: {
    redirect: 'Enlace',
    api: 'Sistema del emisor',
    postback: 'Postback del emisor',
    panel: 'Una persona en Afluente',
    conciliacion: 'Conciliación por archivo',
  },
  /** The fields of `lead_data` and what the server adds to `event_data`. */
  field: {
    params: 'Parámetros',
    ip_trunc: 'Red de origen',
    ua_family: 'Navegador y sistema',
    referer_host: 'Sitio de procedencia',
    flags: 'Señales',
    notes: 'Valores ajustados',
    clock_skew: 'Reloj adelantado',
    reason_code: 'Motivo enviado',
    note: 'Nota',
    author: 'Autor',
  },
  flag: {
    automated: 'Lo abrió un programa',
    automated_guess: 'Parece que lo abrió un programa',
    no_user_agent: 'Sin navegador declarado',
    not_a_navigation: 'Lo cargó otra página, no una persona',
    spooled: 'Guardado primero en disco',
  },
  /** Why a sign-in failed, which only the audit log says. */
  failure: {
    unknown: 'La cuenta no existe',
    wrong_password: 'Contraseña incorrecta',
    wrong_code: 'Código incorrecto',
    wrong_passkey: 'Llave de acceso no aceptada',
    inactive: 'Cuenta inactiva',
    suspended: 'Cuenta suspendida',
  },
  /** How the server answered an event. */
  code: {
    STORED: 'Guardado',
    DUPLICATE: 'Ya se había recibido',
    TEST: 'Sin guardar',
    UNKNOWN_TRACKING_ID: 'Tracking ID desconocido',
    UNKNOWN_EVENT: 'Evento desconocido',
    AMBIGUOUS_EVENT: 'Evento ambiguo',
    IDEMPOTENCY_MISMATCH: 'Event ID de otro lead',
    VALIDATION_ERROR: 'Datos no válidos',
    INVALID_API_KEY: 'Clave no válida',
    INVALID_SIGNATURE: 'Firma no válida',
    SIGNATURE_REQUIRED: 'Falta la firma',
    SECOND_APPROVAL: 'Ya estaba aprobado con otro Event ID: no gana otra vez',
    REJECTED_BEFORE: 'El lead estaba rechazado: su comisión no cuenta mientras no se reactive',
  } satisfies Record<EventRefusal, string> & Record<string, string>,
} as const

/** An unknown word reads as it came. */
export const wordName = (kind: keyof typeof names, word: string): string => {
  const known: Record<string, string> = names[kind]
  return Object.hasOwn(known, word) ? (known[word] ?? word) : word
}

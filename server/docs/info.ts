import { WHOLE_LIST } from '#contract/fields.ts'

/** What stands before the calls: rules that hold for many of them. */
export const info = {
  title: 'API de Afluente',
  version: '1',
  description: [
    'Todas las respuestas son JSON en un mismo sobre: success, data, message, errors y meta. Con error, message se puede mostrar a una persona, errors es la lista de textos, meta.code es estable y meta.field_errors dice qué campo corregir.',
    'Los montos son textos decimales en pesos mexicanos ("1500.00"); las fechas, yyyy-MM-dd en America/Mexico_City; los momentos, ISO 8601 con Z. La diagonal final de las direcciones es opcional.',
    `Las listas que no se piden por páginas llegan completas hasta ${WHOLE_LIST} filas; si hay más, meta.truncated es true y las siguientes se piden con offset.`,
    'Cada producto tiene un lead de prueba, cuyo tracking_id está en la pantalla Integración del emisor: sus eventos se validan y se responden como cualquiera, con test: true, y no guardan nada.',
    'Los eventos no son lugar para datos personales: manda referencias. Los números de tarjeta y las CURP se omiten en todos sus textos, y en event_data también las CLABE, los campos llamados cvv, cvc, nip, pin, password o contraseña, y los códigos que siguen a esos nombres en un texto; meta.warnings lo avisa (CARD_NUMBER_MASKED, CURP_MASKED, CLABE_MASKED, SECRET_MASKED). Un event_id o transaction_id con un dato así se guarda con el dato omitido y un código al final: repetirlo sigue contando una vez y dos distintos siguen siendo dos. Los parámetros de un enlace se omiten igual, salvo la CLABE. Correos, teléfonos, RFC y nombres no se omiten, porque no se distinguen de una referencia legítima.',
    'Un evento se firma como en Standard Webhooks: webhook-id, webhook-timestamp (segundos, con cinco minutos de tolerancia) y webhook-signature, «v1,» y el HMAC-SHA256 en base64 de webhook-id.webhook-timestamp.cuerpo. La clave del HMAC es el secreto de firma del emisor (whsec_…) sin ese prefijo, decodificado de base64; no es la API key. Mientras un emisor no tiene secreto de firma, y hasta 24 horas después de crear el primero, también se acepta la firma con la API key completa como texto. Un emisor puede exigir la firma: entonces lo que llega sin ella, y todo postback por parámetros, recibe 401 con SIGNATURE_REQUIRED; una firma que no corresponde, 401 con INVALID_SIGNATURE.',
    'Una clave que se cambia deja la anterior vigente 24 horas; con revoke_old en true, o con DELETE en old-keys, deja de valer de inmediato.',
    'Un pago toma las comisiones que alguien vio: la vista previa responde entries_amount y upto, y quien guarda los envía juntos; si las comisiones ya no suman eso, la respuesta es 409 PREVIEW_STALE con las dos sumas en meta.sums. Sin ellos, total_amount paga las comisiones más antiguas del periodo que cubre completas, y meta.warnings dice ENTRIES_LEFT si quedan otras. Pasar a paid cuando hubo rechazos desde que se capturó el monto responde 409 TOTAL_CHANGED, salvo que se envíe la suma actual en entries_amount con un adjustment_reason. Un pago que ya se pagó no se elimina (409 PAYMENT_PAID) y se cancela con cancel_reason. Lo que ganó una relación terminada o eliminada se paga igual: payments/balances dice con qué relationship y cuánto.',
    'Solo conviene repetir una solicitud cuando la respuesta es 429, 500 o 503 (meta.retryable); espera los segundos de Retry-After si viene.',
  ].join('\n\n'),
}

import type { ExplainNode } from '#contract/explain.ts'
import { wordName } from '#contract/words.ts'
import type { Came } from '../events/sent-events.ts'
import type { Viewer } from '../viewer.ts'
import { factsOf, moment } from './facts.ts'
import type { Found, Link } from './queries.ts'

const cameWords: Record<Came['by'], string> = {
  single: 'API, un evento por llamada',
  batch: 'API, en lote',
  postback: 'Postback por parámetros',
  panel: 'Panel',
}

/** How an event came. Networks, keys and signatures are for the issuer and the administrator. */
export function cameFacts({ role }: Viewer, { came, sent_from }: { came: Came | null; sent_from: string | null }) {
  const sent = {
    Clave: came?.key && `${came.key}…`,
    Firma: came?.signed === undefined ? null : came.signed ? 'Firmado' : 'Sin firma',
    'Red de origen': sent_from,
  }
  return { 'Llegó por': came && cameWords[came.by], ...(role !== 'affiliate' && sent) }
}

export type Named = Pick<Found, 'issuer_name' | 'product_name'>

export function eventOf(viewer: Viewer, { issuer_name, product_name }: Named, first: Link): ExplainNode {
  const sent = {
    'ID del evento': first.event_id,
    'Huella del contenido': first.fingerprint,
    Contenido: bodyOf(first),
  }
  return {
    kind: 'event',
    at: first.told_at,
    title: `${issuer_name} reportó «${first.step_name}»`,
    amount: first.amount,
    facts: factsOf({
      Producto: product_name,
      Fuente: wordName('source', first.source),
      'Ocurrió, según el emisor': first.occurred_at && moment(first.occurred_at),
      ...cameFacts(viewer, first),
      ...(viewer.role !== 'affiliate' && sent),
    }),
    link: null,
  }
}

/** Longer ones are read with the lead. */
const BODY_LIMIT = 500

function bodyOf({ event_data }: Link): string | null {
  if (event_data === null) return null
  const text = typeof event_data === 'string' ? event_data : JSON.stringify(event_data)
  return text.length > BODY_LIMIT ? `${text.slice(0, BODY_LIMIT)}…` : text
}

import type { ExplainNode } from '#contract/explain.ts'
import { wordName } from '#contract/words.ts'
import type { Came } from '../events/sent-events.ts'
import type { Viewer } from '../viewer.ts'
import { factsOf, moment } from './facts.ts'
import type { Found, Link, listReports } from './queries.ts'

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

/** An event of a step, also one that did not earn its commission. */
export type Report = Awaited<ReturnType<typeof listReports>>[number]

export const eventOf = (viewer: Viewer, named: Named, first: Link): ExplainNode => ({
  ...toldOf(viewer, named, first),
  title: `${named.issuer_name} reportó «${first.step_name}»`,
  amount: first.amount,
})

/** One that gave a commission back, if it had lost its event. */
export const reportOf = (viewer: Viewer, named: Named, report: Report): ExplainNode => ({
  ...toldOf(viewer, named, report),
  title: reportedAgain(named, report),
  amount: null,
})

export const reportedAgain = ({ issuer_name }: Named, { step_name }: Report): string =>
  `${issuer_name} reportó de nuevo «${step_name}»`

function toldOf(viewer: Viewer, { product_name }: Named, report: Report) {
  const sent = {
    'ID del evento': report.event_id,
    'Huella del contenido': report.fingerprint,
    Contenido: bodyOf(report),
  }
  return {
    kind: 'event' as const,
    at: report.told_at,
    facts: factsOf({
      Producto: product_name,
      Fuente: wordName('source', report.source),
      'Ocurrió, según el emisor': report.occurred_at && moment(report.occurred_at),
      ...cameFacts(viewer, report),
      ...(viewer.role !== 'affiliate' && sent),
    }),
    link: null,
  }
}

/** Longer ones are read with the lead. */
const BODY_LIMIT = 500

function bodyOf({ event_data }: Report): string | null {
  if (event_data === null) return null
  const text = typeof event_data === 'string' ? event_data : JSON.stringify(event_data)
  return text.length > BODY_LIMIT ? `${text.slice(0, BODY_LIMIT)}…` : text
}

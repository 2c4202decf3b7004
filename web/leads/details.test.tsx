import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Lead, LeadEvent } from '#contract/leads.ts'
import { dateInMexico } from '#contract/time.ts'
import { LeadSections } from './LeadSections.tsx'
import { LeadTimeline } from './LeadTimeline.tsx'
import { LooseData } from './LooseData.tsx'

const bare: Lead = {
  id: 7,
  tracking_id: '01956789-0000-7000-8000-000000000000',
  external_id: '',
  created_at: '2025-03-04T18:05:00.000Z',
  lead_data: null,
  product_id: 1,
  issuer_id: 2,
  affiliate_id: 3,
  product_name: 'Tarjeta Oro',
  issuer_name: 'Banco Sol',
  affiliate_name: 'Portal Luna',
  utm_source: '',
  utm_medium: '',
  utm_campaign: '',
  utm_term: '',
  utm_content: '',
  state: 'click',
  amount: null,
  events: [],
}

const event = (columns: Partial<LeadEvent> = {}): LeadEvent => ({
  id: 0,
  step_name: 'Clic en el enlace',
  event_type_name: 'click',
  source: 'redirect',
  created_at: bare.created_at,
  event_data: null,
  is_voided: false,
  ...columns,
})

/** As it is read: each label with what stands beside it. */
const factsOf = (markup: string): Record<string, string> =>
  Object.fromEntries(
    [...markup.matchAll(/<dt[^>]*>(.*?)<\/dt><dd[^>]*>(.*?)<\/dd>/gs)].map(([, label = '', text = '']) => [
      label,
      textOf(text),
    ]),
  )
const textOf = (markup: string): string => markup.replace(/<[^>]*>/g, '')
const sections = (columns: Partial<Lead> = {}) => renderToStaticMarkup(<LeadSections lead={{ ...bare, ...columns }} />)
const timeline = (events: LeadEvent[]) => renderToStaticMarkup(<LeadTimeline events={events} />)

test('a lead is shown with who it is of and where it came from', () => {
  const markup = sections({ external_id: 'ana-7', utm_source: 'facebook', utm_content: 'botón' })
  expect(factsOf(markup)).toEqual({
    'Lead ID': '7',
    'Tracking ID': bare.tracking_id,
    'External ID': 'ana-7',
    'Fecha Creación': '04/03/2025 12:05',
    Producto: 'Tarjeta Oro',
    Emisor: 'Banco Sol',
    Afiliado: 'Portal Luna',
    'UTM Source': 'facebook',
    'UTM Content': 'botón',
  })
  expect(markup.match(/aria-expanded="true"/g)).toHaveLength(3)
})

test.each([null, '', {}])('a bare lead shows what it has, and nothing of data that are %j', (lead_data) => {
  const markup = sections({ lead_data })
  expect(factsOf(markup)).toMatchObject({ 'External ID': 'N/A', 'Lead ID': '7' })
  expect(markup).not.toContain('Datos UTM')
  expect(markup).not.toContain('Datos del Lead')
})

test('data that are a text stay a text, whatever is written in them', () => {
  expect(sections({ lead_data: '<b>texto</b>' })).toMatch(/<pre[^>]*>&lt;b&gt;texto&lt;\/b&gt;<\/pre>/)
})

test('data that are an object are read in lines, and as they are behind Ver datos', () => {
  const value = {
    params: { gclid: 'abc', sub_1: 5 },
    ip_trunc: '203.0.113.0/24',
    flags: ['not_a_navigation', 'odd'],
    clock_skew: true,
    'no se sabe': { deeper: 1 },
    nothing: null,
    none: [],
  }
  const markup = renderToStaticMarkup(<LooseData value={value} />)
  const lines = [...markup.matchAll(/<li[^>]*>(.*?)<\/li>/gs)].map(([, line = '']) => textOf(line))
  expect(lines).toEqual([
    'gclid: abc',
    'sub_1: 5',
    'Red de origen: 203.0.113.0/24',
    'Señales: Lo cargó otra página, no una persona, odd',
    'Reloj adelantado: Sí',
  ])
  const [, whole = ''] = /<details>.*<pre[^>]*>(.*)<\/pre>/s.exec(markup) ?? []
  expect(JSON.parse(whole.replaceAll('&quot;', '"'))).toEqual(value)
  expect(renderToStaticMarkup(<LooseData value={{ nothing: null }} />)).not.toContain('<li')
})

test('a lead without any event says so', () => {
  const text = textOf(timeline([]))
  expect(text).toContain('0 eventos')
  expect(text).toContain('No hay eventos registrados')
})

test('the timeline has a head for each day, with its year where that is another', () => {
  const headsOf = (events: LeadEvent[]) =>
    [...timeline(events).matchAll(/<h4[^>]*>(.*?)<\/h4>/g)].map(([, text = '']) => text)
  const events = ['2025-03-06T01:02:00.000Z', '2025-03-04T18:30:00.000Z', '2025-03-04T18:05:00.000Z']
  expect(headsOf(events.map((created_at, id) => event({ id, created_at })))).toEqual([
    'mié 5 mar 2025',
    'mar 4 mar 2025',
  ])
  const today = dateInMexico()
  const [head] = headsOf([event({ created_at: `${today}T18:00:00.000Z` })])
  expect(head).toMatch(/^\p{L}+ \d+ \p{L}+$/u)
})

test('each event says when it was, what it is and who said it; what counts no more says that', () => {
  const text = (columns: Partial<LeadEvent>) => textOf(timeline([event(columns)]))
  expect(text({})).toMatch(
    /Selecciona un EventoHaz clic en un evento del timeline para ver sus propiedades detalladas$/,
  )
  expect(text({})).toMatch(/1 eventos.*Clic en el enlace.*12:05.*Clic.*Enlace/)
  const told = { id: 4, step_name: 'Solicitud <enviada>', event_type_name: 'step_1', source: 'crm', is_voided: true }
  expect(text(told)).toMatch(/Solicitud &lt;enviada&gt;.*Avance 1.*Anulado.*crm/)
  expect(text({ event_type_name: 'rechazado', source: 'api' })).toMatch(/Rechazado.*Sistema del emisor/)
})

test.each([
  ['aprobado', 'bg-success-soft text-success-ink'],
  ['rechazado', 'bg-danger-soft text-danger-ink'],
  ['otro', 'bg-sunken text-muted'],
])('what is %s has its colour', (event_type_name, look) => {
  expect(timeline([event({ event_type_name })])).toContain(look)
})

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import type { CommissionEntry } from '#contract/commission-entries.ts'
import type { LeadDetail } from '#contract/leads.ts'
import type { Role } from '#contract/roles.ts'
import { NO_REJECT_STEP } from '#contract/rulings.ts'
import { LeadOutcome } from './LeadOutcome.tsx'

const LEAD: LeadDetail = {
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
  state: 'approved',
  amount: '1500.00',
  events: [],
  rejection: null,
  rulings: [],
  is_rejectable: true,
}

const held = (...payments: (number | null)[]) => payments.map((payment_id) => ({ payment_id }) as CommissionEntry)

function shown(viewer: Role, columns: Partial<LeadDetail> = {}, entries?: CommissionEntry[]) {
  const markup = renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <LeadOutcome lead={{ ...LEAD, ...columns }} entries={entries} viewer={viewer} />
      </MemoryRouter>
    </QueryClientProvider>,
  )
  const buttons = [...markup.matchAll(/<button([^>]*)>(.*?)<\/button>/gs)].map(([, attributes = '', text = '']) => ({
    text: text.replace(/<[^>]*>/g, ''),
    isOff: attributes.includes('aria-disabled="true"'),
  }))
  const links = [...markup.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, to]) => to)
  return { markup, text: markup.replace(/<[^>]*>/g, ''), buttons, links }
}

const rulingIn = ({ buttons }: ReturnType<typeof shown>) =>
  buttons.filter(({ text }) => /^(Rechazar|Reactivar)/.test(text))

test.each(['admin', 'issuer'] as const)('the %s rejects a lead, and takes back what is rejected', (viewer) => {
  expect(rulingIn(shown(viewer))).toEqual([{ text: 'Rechazar', isOff: false }])
  expect(rulingIn(shown(viewer, { state: 'rejected' }))).toEqual([{ text: 'Reactivar', isOff: false }])
})

test('without a step for rejections none begins, and the button says why; one that stands is taken back', () => {
  const bare = { is_rejectable: false }
  expect(rulingIn(shown('issuer', bare))).toEqual([{ text: `Rechazar${NO_REJECT_STEP}`, isOff: true }])
  expect(rulingIn(shown('issuer', { ...bare, state: 'rejected' }))).toEqual([{ text: 'Reactivar', isOff: false }])
})

const rejection = { at: LEAD.created_at, code: 'buro', label: 'Historial en buró de crédito', advice: 'Ofrece otro.' }

test('the affiliate reads why its lead was rejected and what it can do, and decides nothing', () => {
  const { text, buttons } = shown('affiliate', { state: 'rejected', rejection })
  expect(text).toContain('Motivo del rechazo: Historial en buró de crédito. Ofrece otro.')
  expect(buttons.map((button) => button.text)).toEqual(['¿De dónde sale? Lead 7'])
  expect(rulingIn(shown('affiliate'))).toEqual([])
})

test('others read the reason alone', () => {
  expect(shown('issuer', { state: 'rejected', rejection }).text).toMatch(
    /Motivo del rechazo: Historial en buró de crédito\.$/,
  )
})

test('its state, its money, and the payment that holds it where there is but one', () => {
  const one = shown('affiliate', {}, held(41, 41, null))
  expect(one.text).toMatch(/^Aprobado.*\$1,500\.00.*Pago 41$/)
  expect(one.links).toEqual(['/app/affiliate/payments?pago=41'])
  for (const entries of [undefined, held(), held(null), held(41, 42)])
    expect(shown('affiliate', {}, entries).links).toEqual([])
  expect(shown('affiliate', { state: 'click', amount: null }).text).toBe('Clic')
})

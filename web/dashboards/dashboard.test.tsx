import { expect, test } from 'vitest'
import type { FirstSteps as Made, Overview } from '#contract/metrics.ts'
import type { Due, Summary } from '#contract/summary.ts'
import { AdminFigures } from './AdminFigures.tsx'
import AffiliateCampaignsPage from './AffiliateCampaignsPage.tsx'
import { AffiliateSummary } from './AffiliateSummary.tsx'
import { Attention } from './Attention.tsx'
import { Dashboards } from './Dashboards.tsx'
import { FirstSteps, useFirstSteps } from './FirstSteps.tsx'
import { Hero } from './Hero.tsx'
import { dashboardsQuery, firstStepsQuery, moversQuery, overviewQuery, summaryQuery } from './queries.ts'
import { linksOf, render, textOf } from './render.testing.tsx'

const NONE: Due = { accrued: '0.00', entries: 0, since: null, in_payment: '0.00' }
const QUIET = {
  ...{ payments: 0, payments_amount: '0.00', payments_changed: 0, commission_gaps: 0 },
  ...{ approvals: { count: 0, amount: '0.00', held: 0, held_amount: '0.00' }, silent_issuers: [] },
}
const summaryOf = (columns: Partial<Summary>): Summary => ({
  ...{ due: NONE, next_payment: null, days: [], attention: QUIET },
  ...columns,
})
const knowing = (columns: Partial<Summary>) => ({ known: [[summaryQuery().queryKey, summaryOf(columns)]] as const })

test.each([
  [{}, 'Por pagar $0.00 Sin comisiones por pagar En pago $0.00'],
  [{ accrued: '350.00', entries: 1, since: '2025-03-04' }, '$350.00 1 comisión, desde el 4 mar 2025'],
  [{ accrued: '900.00', entries: 3, since: '2025-03-04' }, '$900.00 3 comisiones, desde el 4 mar 2025'],
  [{ accrued: '350.00', entries: 1 }, '$350.00 1 comisión que todavía no se puede pagar'],
  [{ accrued: '500.00', entries: 2 }, '$500.00 2 comisiones que todavía no se pueden pagar'],
])('of %j what is owed reads %j', (due, text) => {
  const shown = textOf(render(<Hero payments="/pagos" />, knowing({ due: { ...NONE, ...due } })))
  expect(shown).toContain(text)
  expect(shown).toContain('Sin movimientos en los últimos 90 días')
})

test.each([
  [null, '- Sin pagos programados'],
  [{ day: '2999-01-05', amount: '1500.00', has_changed: false }, '$1,500.00 5 ene 2999'],
  [{ day: '2999-01-05', amount: '9.00', has_changed: true }, '$9.00 5 ene 2999; cambió desde que se hizo'],
  [{ day: '2025-05-05', amount: '120.00', has_changed: false }, '$120.00 Atrasado: era para el 5 may 2025'],
])('the next payment of %j reads %j', (next_payment, text) => {
  const figures = { leads: 0, conversions: 0, commission: '0.00', conversion_rate: 0 }
  const movers = {
    ...{ period: { from: '2025-03-01', to: '2025-03-30' }, comparison: null, rows: [], busiest_product: null },
    ...{ totals: figures, compared_totals: figures, previous_totals: figures },
  }
  const { known } = knowing({ next_payment })
  const shown = textOf(render(<AffiliateSummary />, { known: [...known, [moversQuery().queryKey, movers]] }))
  expect(shown).toContain(`Próximo pago ${text}`)
  expect(shown).not.toContain('Por atender')
})

const silent = (...names: string[]) => names.map((name, index) => ({ id: index + 1, name, last_day: '2025-03-04' }))

test.each([
  ['admin', {}, 'Nada espera por ti', []],
  ['issuer', {}, 'Nada espera por ti', []],
  [
    'admin',
    { payments: 2, payments_amount: '1500.00' },
    'Pagos por hacer Creados y aún pendientes. 2 $1,500.00',
    ['/app/admin/payments?estado=pending'],
  ],
  [
    'issuer',
    { payments: 1, payments_amount: '80.00', payments_changed: 1 },
    'Pagos pendientes Creados a tus afiliados y aún sin pagar; 1 cambió desde que se hizo. 1 $80.00',
    ['/app/issuer/payments?estado=pending'],
  ],
  ['admin', { commission_gaps: 3 }, 'Relaciones sin comisión', ['/app/admin/commissions?estado=falta']],
  ['issuer', { commission_gaps: 3 }, 'Relaciones sin comisión', ['/app/issuer/commissions']],
  [
    'admin',
    { silent_issuers: silent('Banco Uno', 'Banco Dos', 'Banco Tres') },
    'Banco Uno, desde el 4 mar 2025; Banco Dos, desde el 4 mar 2025; Banco Tres, desde el 4 mar 2025 3',
    ['/app/admin/issuers'],
  ],
  [
    'admin',
    { silent_issuers: silent('Banco Uno & Cía') },
    'Emisores sin avisos Banco Uno & Cía, desde el 4 mar 2025 1',
    ['/app/admin/issuers?q=Banco+Uno+%26+C%C3%ADa'],
  ],
  [
    'issuer',
    { silent_issuers: silent('Banco Uno') },
    'Tus eventos se detuvieron El último llegó el 4 mar 2025. Revisa tu integración.',
    ['/app/issuer/integration'],
  ],
] as const)('of an %s, %j waits as %j', (role, columns, text, links) => {
  const attention = { ...QUIET, ...columns } as Summary['attention']
  const shown = render(<Attention of={role} />, knowing({ attention }))
  expect(textOf(shown)).toContain(text)
  expect(linksOf(shown)).toEqual(links)
})

const NOVEMBER = {
  period: { from: '2025-11-01', to: '2025-11-21' },
  previous_period: { from: '2025-10-01', to: '2025-10-21' },
}
const figure = <T,>(value: T, compared: T, previous: T, change: number | null = null) => ({
  ...{ value, compared, previous, change, comparison: NOVEMBER, until: null },
})
const figuresOf = (columns: Partial<Overview>) => {
  const counts = { total_users: figure(1, 1, 0), active_products: figure(1, 1, 1, 0) }
  const overview = { ...counts, conversions_today: figure(0, 0, 0), month_income: figure('0.00', '0.00', '0.00') }
  return textOf(render(<AdminFigures />, { known: [[overviewQuery().queryKey, { ...overview, ...columns }]] }))
}

test.each([
  [{ total_users: figure(1234, 1234, 1000, 23.4) }, 'Total Usuarios 1,234 ▲ +23.4% desde el mes pasado'],
  [
    { conversions_today: { ...figure(3, 3, 5), until: '12:05' } },
    'Conversiones Hoy 3 en curso ▼ -2 desde el mes pasado (1–21 nov 2025 frente a 1–21 oct 2025, ambos hasta las 12:05: 5)',
  ],
  // What was earned today alone is no change against a month without anything.
  [{ month_income: figure('700.00', '0.00', '0.00') }, 'Ingresos del Mes $700.00 en curso Sin cambio desde'],
  [{ month_income: { ...figure('9.00', '0.00', '0.00'), comparison: null } }, 'Sin comparación desde el mes pasado'],
])('the figures of %j read %j', (columns, text) => {
  expect(figuresOf(columns)).toContain(text)
})

test('of the four figures, those that count today say that it is not over', () => {
  expect(figuresOf({}).match(/en curso/g)).toHaveLength(2)
})

const EMPTY: Made = {
  ...{ issuer: false, product: false, event_step: false, affiliate: false },
  ...{ relationship: false, commission: false, event: false },
}
const ALL = Object.fromEntries(Object.keys(EMPTY).map((step) => [step, true])) as Made

/** As the dashboard asks for them: nothing once all are done. */
function Steps() {
  const made = useFirstSteps()
  return made ? <FirstSteps made={made} /> : 'Nada falta'
}
const stepsOf = (made: Made) => render(<Steps />, { known: [[firstStepsQuery().queryKey, made]] })

test.each([
  [EMPTY, 0, 'Registra un emisor', 'Ir a Emisores', '/app/admin/issuers'],
  [{ ...EMPTY, issuer: true }, 1, 'Agrega un producto y sus pasos', 'Ir a Productos', '/app/admin/products'],
  [
    { ...EMPTY, issuer: true, product: true, affiliate: true },
    ...([2, 'Falta el flujo del producto: agrega sus pasos.', 'Ir a Eventos', '/app/admin/events'] as const),
  ],
  [{ ...ALL, affiliate: false }, 5, 'Registra un afiliado', 'Ir a Afiliados', '/app/admin/affiliates'],
  [{ ...ALL, relationship: false }, 5, 'sus enlaces funcionan', 'Ir a Relaciones', '/app/admin/relationships'],
  // By the administrator, without waiting for the issuer.
  [{ ...ALL, commission: false, event: false }, 4, 'Defínela tú', 'Ir a Comisiones', '/app/admin/commissions'],
  [{ ...ALL, event: false }, 5, 'Sus claves están en Emisores.', 'Ir a Emisores', '/app/admin/issuers'],
])('with %j there are %i of six steps done, and next is: %s', (made, done, text, button, path) => {
  const shown = stepsOf(made)
  expect(textOf(shown)).toContain(`Primeros pasos · ${done} de 6`)
  expect(shown.match(/aria-label="Hecho"/g) ?? []).toHaveLength(done)
  const [, next] = shown.split('aria-current="step"')
  expect(textOf(`<${next?.split('</li>')[0]}`)).toMatch(new RegExp(`${text}.*${button}$`))
  expect(linksOf(shown)).toEqual([path])
})

test('the first steps stand in their order, and are gone once all six are done', () => {
  expect(textOf(stepsOf(EMPTY))).toMatch(
    /1 Registra un emisor .*2 Agrega un producto y sus pasos 3 Registra un afiliado 4 Relaciona .* 5 Define .* 6 Recibe/,
  )
  expect(stepsOf(ALL)).toBe('Nada falta')
})

test('who has no boards is shown the way to the same figures', () => {
  const elsewhere = [{ label: 'Leads', path: '/leads' }]
  const props = { description: 'Tus cifras', elsewhere, results: '/resultados', summary: 'Resumen' }
  const shown = render(<Dashboards {...props} />, { known: [[dashboardsQuery().queryKey, []]] })
  expect(textOf(shown)).toContain('Aún no tienes dashboards')
  expect(textOf(shown)).not.toContain('Resumen')
  expect(linksOf(shown)).toEqual(['/resultados', '/leads'])
})

test('the campaigns of an affiliate are still to come', () => {
  const shown = render(<AffiliateCampaignsPage />)
  expect(textOf(shown)).toContain('Esta sección está en desarrollo')
  expect(linksOf(shown)).toEqual(['/app/affiliate/products'])
})

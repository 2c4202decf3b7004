import { expect, test } from 'vitest'
import type { Figures, Funnel } from '#contract/boards.ts'
import type { Period } from '#contract/periods.ts'
import { dateInMexico } from '#contract/time.ts'
import { Chart } from '#web/charts/Chart.tsx'
import { linksOf, render, textOf } from '#web/dashboards/render.testing.tsx'
import { productOptionsQuery } from '#web/products/queries.ts'
import BoardArea from './BoardArea.tsx'
import { Cohorts } from './Cohorts.tsx'
import FunnelBoard from './FunnelBoard.tsx'
import { FunnelBars } from './FunnelSteps.tsx'
import { KeyFigures } from './KeyFigures.tsx'
import { hasNoCommissions, hasNoFigures, hasNoLeads, NoData } from './NoData.tsx'
import { Previews } from './PerformanceBoard.tsx'
import { NO_FILTERS, periodOf } from './period.ts'
import { funnelQuery } from './queries.ts'

const MARCH = { from: '2025-03-01', to: '2025-03-31' }
const WEEK = {
  period: { from: '2025-03-25', to: '2025-03-31' },
  previous_period: { from: '2025-03-18', to: '2025-03-24' },
}
const of = (leads: number, conversions: number, conversion_rate: number, commission: string): Figures => ({
  ...{ leads, conversions, conversion_rate, commission },
})
const figuresOf = (period: Period, comparison: typeof WEEK | null) =>
  textOf(
    render(
      <KeyFigures
        report={{
          ...{ period, comparison, totals: of(4, 1, 25, '350.00') },
          ...{ compared_totals: of(3, 1, 33.33, '350.00'), previous_totals: of(1, 1, 100, '700.00') },
        }}
      />,
    ),
  )

test('each figure says which days stand beside which, and by how much it changed', () => {
  const since = 'contra el periodo anterior (25–31 mar 2025 frente a 18–24 mar 2025:'
  const text = figuresOf(WEEK.period, WEEK)
  expect(text).toContain(`Leads 4 ▲ +200% ${since} 1)`)
  expect(text).toContain(`Conversiones 1 Sin cambio ${since} 1)`)
  expect(text).toContain(`Tasa de conversión 25.00% ▼ -66.67 puntos ${since} 100.00%)`)
  expect(text).toContain(`Comisión ganada $350.00 ▼ -50% ${since} $700.00)`)
  expect(text).not.toContain('en curso')
})

test('figures that count a day which is not over say so, and nothing is compared where no day is over', () => {
  const longer = figuresOf({ ...WEEK.period, to: '2025-04-01' }, WEEK)
  expect(longer.match(/en curso/g)).toHaveLength(4)
  expect(longer).toContain('25–31 mar 2025 frente a')
  const today = figuresOf({ from: '2025-04-01', to: '2025-04-01' }, null)
  expect(today.match(/en curso/g)).toHaveLength(4)
  expect(today.match(/Sin días completos que comparar/g)).toHaveLength(4)
})

test.each([
  ['', 'figures', 'desde el día siguiente al primer clic en el enlace de un afiliado.'],
  ['', 'commissions', 'desde el día siguiente a que un lead llegue a un paso que genera comisión.'],
  ['', 'funnel', 'Aquí verás hasta qué paso llegan los leads de este producto'],
  // A board of one product is never without one.
  ['?product_id=7', 'funnel', 'Aquí verás hasta qué paso llegan los leads de este producto'],
] as const)('without data and with the address %j a board of %s says what will be there and when', (at, kind, hint) => {
  const text = textOf(render(<NoData of={kind} />, { at: `/embed/tablero${at}` }))
  expect(text).toContain('Sin movimientos en los últimos 30 días')
  expect(text).toContain(hint)
  expect(text).toContain('Los de hoy se ven con el periodo «Hoy».')
  expect(text).not.toContain('filtro')
})

test.each([
  ['?product_id=7', 'figures'],
  ['?issuer_id=7', 'commissions'],
  ['?periodo=hoy', 'funnel'],
] as const)('filters %s that leave a board of %s without data can be cleared there', (at, kind) => {
  const text = textOf(render(<NoData of={kind} />, { at: `/embed/tablero${at}` }))
  expect(text).toBe('Sin movimientos en el periodo Ninguno coincide con los filtros en uso. Limpiar filtros')
})

const none = { leads: 0, conversions: 0, commission: '0.00' }
const day = (columns: object, previous: object | null = none) => ({
  ...{ ...none, day: '2025-03-04', ...columns },
  previous: previous && { ...none, day: '2025-03-03', ...previous },
})

test('a board has no data where neither its days, nor those before, nor any product have some', () => {
  const hasNone = (days: ReturnType<typeof day>[]) => hasNoFigures({ days, products: [] })
  expect([hasNone([]), hasNone([day({}), day({}, null)])]).toEqual([true, true])
  const some = [{ leads: 1 }, { conversions: 1 }, { commission: '-0.01' }]
  expect(some.map((columns) => hasNone([day({}), day(columns)]))).toEqual([false, false, false])
  expect(some.map((columns) => hasNone([day({}, columns)]))).toEqual([false, false, false])
  const states = { accrued: '0.00', in_payment: '0.00', paid: '0.00', reversed: '0.00', earned: '0.00' }
  const row = { id: 7, name: 'Tarjeta', ...states }
  expect(hasNoCommissions({ days: [{ day: '2025-03-04', ...states }], products: [] })).toBe(true)
  expect(hasNoCommissions({ days: [{ day: '2025-03-04', ...states, reversed: '5.00' }], products: [] })).toBe(false)
  expect(hasNoCommissions({ days: [], products: [row] })).toBe(false)
  expect(hasNoLeads({ leads: 0, steps: [stepOf({})] })).toBe(true)
  expect(hasNoLeads({ leads: 0, steps: [stepOf({ events: 1 })] })).toBe(false)
  expect(hasNoLeads({ leads: 1, steps: [] })).toBe(false)
})

const stepOf = (columns: Partial<Funnel['steps'][number]>): Funnel['steps'][number] => ({
  ...{ step_id: 1, name: 'Solicitud', event_type_name: 'step_1', is_payout_event: false, archived: false },
  ...{ reached: 0, share: 0, lost: 0, lost_share: 0, events: 0, ...columns },
})
const FUNNEL: Funnel = {
  ...{ period: MARCH, product: { id: 7, name: 'Tarjeta', issuer_name: 'Banco Norte' }, leads: 3, cohorts: [] },
  ...{ approval_step: null, maturity_days: 14 },
  steps: [
    stepOf({ reached: 2, share: 66.67, lost: 1, lost_share: 33.33 }),
    stepOf({ step_id: 2, name: 'Rechazado', event_type_name: 'rechazado', lost: null, lost_share: null }),
    stepOf({ step_id: 3, name: 'Aprobado', reached: 1, share: 33.33, lost: 1, lost_share: 50 }),
    stepOf({ step_id: 4, name: 'Aprobado', archived: true, reached: 1, share: 33.33 }),
  ],
}

test('the bars of a funnel say how many came so far, and how many were lost on the way', () => {
  expect(textOf(render(<FunnelBars funnel={FUNNEL} />))).toBe(
    [
      ...['Clics 3 · 100.00% de los clics', 'Solicitud 2 · 66.67% de los clics Se pierden 1 (33.33%)'],
      ...['Rechazado 0 · 0.00% de los clics', 'Aprobado 1 · 33.33% de los clics Se pierden 1 (50.00%)'],
      'Aprobado (retirado) 1 · 33.33% de los clics',
    ].join(' '),
  )
})

const funnelBoard = (funnel: Funnel | undefined) => {
  const asked = { ...periodOf(NO_FILTERS), product_id: '7', issuer_id: '', affiliate_id: '' }
  const products = funnel ? [{ id: 7, name: 'Tarjeta', issuer: 1, issuer_name: 'Banco Norte' }] : []
  return textOf(
    render(<FunnelBoard />, {
      known: [
        [productOptionsQuery().queryKey, products],
        [funnelQuery(asked).queryKey, funnel],
      ],
    }),
  )
}

test('a funnel needs a product, and its product steps', () => {
  expect(funnelBoard(undefined)).toContain('Aún no hay productos')
  expect(funnelBoard({ ...FUNNEL, steps: [] })).toContain(
    'El producto no tiene pasos Cuando los tenga, aquí verás cuántos leads llegan a cada uno.',
  )
  expect(funnelBoard({ ...FUNNEL, leads: 0, steps: [stepOf({})] })).toContain('Aquí verás hasta qué paso llegan')
})

test('without a step that approves there are no cohorts to show', () => {
  const asked = { ...MARCH, product_id: '7', issuer_id: '', affiliate_id: '' }
  expect(textOf(render(<Cohorts funnel={FUNNEL} asked={asked} />))).toContain('no tiene un paso de aprobación')
})

test('a picture of which there is no figure has no axes', () => {
  const series = [{ name: 'Leads', color: 'red', value: () => 0, text: String, kind: 'line' as const }]
  const markup = render(
    <Chart label="Leads" rows={[1, 2]} day={() => '2025-03-04'} title={String} series={series} axis={String} />,
  )
  expect(textOf(markup)).toBe('Sin cifras en el periodo')
  expect(markup).not.toContain('<figure')
})

test('previews and bots are said to be no leads', () => {
  expect([0, 1, 2].map((count) => textOf(render(<Previews count={count} />)))).toEqual([
    'Sin vistas previas ni bots en el periodo.',
    'Además, 1 vista previa o bot, que no cuenta como leads.',
    'Además, 2 vistas previas y bots, que no cuentan como leads.',
  ])
})

test('without a session a board shows the way to the sign-in alone, in the whole window', () => {
  const markup = render(<BoardArea />, { at: '/embed/rendimiento' })
  expect(textOf(markup)).toBe('Tablero Inicia sesión para ver este tablero Iniciar sesión')
  expect(markup).toMatch(/<a [^>]*target="_top"/)
  expect(linksOf(markup)).toEqual(['/login'])
})

test('a period that ends today is said to be under way', () => {
  const shown = (at: string) => textOf(render(<FunnelBoard />, { at, known: [[productOptionsQuery().queryKey, []]] }))
  const today = dateInMexico()
  expect(shown(`/?periodo=otro&desde=${today}&hasta=${today}`)).toMatch(
    /El \d.* de la Ciudad de México\. El de hoy está/,
  )
  expect(shown('/?periodo=otro&desde=2025-03-01&hasta=2025-03-31')).toContain(
    'Del 1 de marzo de 2025 al 31 de marzo de 2025, días de la Ciudad de México.',
  )
  expect(shown('/?periodo=30')).not.toContain('El de hoy')
})

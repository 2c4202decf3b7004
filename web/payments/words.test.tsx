import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { useForm } from 'react-hook-form'
import { expect, test } from 'vitest'
import type { OpenBalance as Balance, Payment } from '#contract/payments.ts'
import { AdjustmentReason } from './AdjustmentReason.tsx'
import { paymentColumns } from './columns.tsx'
import { OpenBalance } from './OpenBalance.tsx'
import { PaymentCount } from './PaymentCount.tsx'
import { empty, type Form } from './payment-form.ts'
import { balancesQuery } from './queries.ts'
import { made, read } from './testing.tsx'
import { Unpaid } from './Unpaid.tsx'

const changed = (change: Partial<Payment>): Payment => ({ ...made, ...change })

test.each<[Partial<Payment>, keyof typeof paymentColumns, string]>([
  [{}, 'period', '01/03/2025 - 31/03/2025 (31 días)'],
  [{}, 'amount', '$1,500.00'],
  [{}, 'status', 'Pendiente'],
  [{ entries_amount: '600.00' }, 'status', 'Pendiente Sus comisiones cambiaron'],
  [
    { payment_status: 'cancelled', entries_amount: '0.00', cancel_reason: 'El banco la devolvió' },
    'status',
    'Cancelado El banco la devolvió',
  ],
  [{}, 'paidOn', '04/04/2025'],
  [{ payment_date: null }, 'paidOn', '-'],
])('of a payment with %j the column %s reads %s', (change, column, text) => {
  expect(read(paymentColumns[column].cell(changed(change)))).toBe(text)
})

test('the amount of a cancelled payment is struck through, and no other', () => {
  const amount = (change: Partial<Payment>) => renderToStaticMarkup(paymentColumns.amount.cell(changed(change)))
  expect(amount({ payment_status: 'cancelled' })).toMatch(/^<del/)
  expect(amount({ payment_status: 'paid' })).not.toContain('<del')
})

test('a list says how many payments it shows and their sum, without what was cancelled', () => {
  const cancelled = changed({ payment_status: 'cancelled' })
  const count = (payments: Payment[]) => read(<PaymentCount payments={payments} shown={() => true} />)
  expect(count([])).toBe('0 pagos · $0.00')
  expect(count([made])).toBe('1 pago · $1,500.00')
  expect(count([made, made, cancelled])).toBe('3 pagos · $3,000.00 · sin sumar 1 cancelado')
})

test.each([
  ['900.00', 'Saldo por pagar: $900.00. Se conserva y se paga después, como finiquito.'],
  ['-400.00', 'Saldo en contra: $400.00. Se conserva y se descuenta si vuelve a ganar comisiones.'],
  ['0.00', 'Sin saldo por pagar.'],
])('who ends what still has %s reads so', (amount, text) => {
  expect(read(<OpenBalance amount={amount} />)).toBe(text)
})

/** As a screen with these balances shows it. */
function unpaid(balances: Partial<Balance>[], filters = { emisor: '', afiliado: '' }) {
  const client = new QueryClient()
  const whole = { affiliate: 2, issuer: 3, validating: '0.00' }
  client.setQueryData(balancesQuery().queryKey, balances.map((each) => ({ ...whole, ...each })) as Balance[])
  return read(
    <QueryClientProvider client={client}>
      <Unpaid filters={filters} onOpen={() => undefined} />
    </QueryClientProvider>,
  )
}

test('what is in no payment is one sum, of the companies that are filtered, with what cannot be paid yet', () => {
  const two = [{ accrued: '370.00' }, { accrued: '-70.00', affiliate: 5 }, { accrued: '0.00', affiliate: 6 }]
  const shown = 'Ver comisiones sin pago'
  expect(unpaid(two)).toBe(`$300.00 en comisiones sin pago, de 2 relaciones ${shown}`)
  expect(unpaid(two, { emisor: '3', afiliado: '5' })).toBe(`-$70.00 en comisiones sin pago, de 1 relación ${shown}`)
  expect(unpaid(two, { emisor: '4', afiliado: '' })).toBe('Ninguna comisión ganada está sin pago.')
  expect(unpaid([{ accrued: '1200.00', validating: '1200.00' }])).toBe(
    `$1,200.00 en comisiones sin pago, de 1 relación; de ello, $1,200.00 aún no se puede pagar ${shown}`,
  )
})

/** The part of the form below a total and the sum of its commissions. */
function Below({
  total,
  commissions,
  required,
}: {
  total: string
  commissions: string | undefined
  required: boolean
}) {
  const form = useForm({ defaultValues: { ...empty, total_amount: total } }) as unknown as Form
  return <AdjustmentReason form={form} commissions={commissions} wasPaid={false} required={required} />
}

const ASKED = 'El afiliado y el emisor leen por qué.'

test.each<[total: string, commissions: string | undefined, required: boolean, says: string[]]>([
  ['1500', '1500.00', false, []],
  ['1600', undefined, false, []],
  ['abc', '1500.00', true, []],
  ['1600', '1500.00', false, ['El monto agrega $100.00 a $1,500.00 en comisiones.', ASKED, 'Opcional']],
  ['1400', '1500.00', false, ['El monto quita $100.00 a $1,500.00 en comisiones.', ASKED, 'Opcional']],
  ['900', '900.00', true, [ASKED]],
  [
    '100',
    '-400.00',
    true,
    ['Saldo en contra de $400.00; se descontará del siguiente pago', 'El monto agrega $100.00 a $0.00 en comisiones.'],
  ],
  ['0', '-400.00', true, ['Saldo en contra de $400.00; se descontará del siguiente pago', ASKED]],
])(
  'of a total of %s over commissions of %s (a reason needed: %s) it is said %j',
  (total, commissions, required, says) => {
    const text = read(<Below {...{ total, commissions, required }} />)
    for (const sentence of says) expect(text).toContain(sentence)
    if (says.length === 0) expect(text).toBe('')
    expect(text.includes('Opcional')).toBe(says.includes('Opcional'))
  },
)

import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { RatePreview } from '#contract/rates.ts'
import { compensatedBy, RateMeaning } from './RateMeaning.tsx'

const nothing: RatePreview = {
  ...{ from: '500.00', to: '620.50', earned: 0, difference: '0.00', kept: 0, kept_amount: '0.00' },
  ...{ compensation: null, affiliate_count: 0, affiliates: [] },
}
const compensation = { entries: 0, paid: 0, amount: '0.00', held: 0 }

const sentencesOf = (preview: Partial<RatePreview>, isDefault = false) =>
  [
    ...renderToStaticMarkup(<RateMeaning preview={{ ...nothing, ...preview }} isDefault={isDefault} />).matchAll(
      /<p[^>]*>(.*?)<\/p>/g,
    ),
  ].map(([, text]) => text)

const NONE = 'En los últimos 30 días ningún lead ganó esta comisión.'
const STAYS = 'Las comisiones quedan como se ganaron; cada ajuste es solo la diferencia y entra en un pago posterior.'

test.each<[Partial<RatePreview>, string[]]>([
  [{}, [NONE]],
  [
    { earned: 1, difference: '120.50', kept: 1, kept_amount: '500.00' },
    [
      'En los últimos 30 días 1 lead ganó esta comisión: +$120.50 al mes.',
      '1 comisión ya devengada ($500.00) conserva su monto.',
    ],
  ],
  [
    { earned: 1200, difference: '-60000.00', kept: 3, kept_amount: '1520.50' },
    [
      'En los últimos 30 días 1,200 leads ganaron esta comisión: -$60,000.00 al mes.',
      '3 comisiones ya devengadas ($1,520.50) conservan su monto.',
    ],
  ],
  [
    { kept: 3, compensation: { ...compensation, entries: 2, amount: '341.00' } },
    [NONE, 'Se harán 2 ajustes: +$341.00 en total.', STAYS],
  ],
  [
    { compensation: { entries: 1, paid: 1, amount: '-20.00', held: 1 } },
    [
      NONE,
      'Se hará 1 ajuste, 1 de una comisión ya pagada: -$20.00 en total. 1 comisión retenida no se compensa.',
      STAYS,
    ],
  ],
  [
    { compensation: { entries: 36, paid: 2, amount: '12400.00', held: 2 } },
    [
      NONE,
      'Se harán 36 ajustes, 2 de comisiones ya pagadas: +$12,400.00 en total. 2 comisiones retenidas no se compensan.',
      STAYS,
    ],
  ],
  [
    { kept: 1, kept_amount: '500.00', compensation },
    [NONE, 'Desde ese día no hay nada que compensar.', '1 comisión ya devengada ($500.00) conserva su monto.'],
  ],
])('what a change means %#', (preview, sentences) => expect(sentencesOf(preview)).toEqual(sentences))

test.each([
  [0, 'Hoy ningún afiliado la ganaría: todos tienen un monto propio.'],
  [1, 'La gana 1 afiliado sin monto propio.'],
  [12, 'La ganan 12 afiliados sin monto propio.'],
])('a default for %i', (affiliate_count, sentence) =>
  expect(sentencesOf({ affiliate_count }, true)).toEqual([sentence, NONE]),
)

test.each([
  [0, '0.00', ''],
  [1, '150.00', ' Compensa lo devengado con 1 ajuste: +$150.00 en total.'],
  [36, '12400.00', ' Compensa lo devengado con 36 ajustes: +$12,400.00 en total.'],
])('a change that compensates with %i', (entries, amount, sentence) =>
  expect(compensatedBy({ entries, amount })).toBe(sentence),
)

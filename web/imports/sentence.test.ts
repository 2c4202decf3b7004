import { expect, test } from 'vitest'
import type { ImportOutcome } from '#contract/imports.ts'
import { remarkSentence, sentenceOf } from './sentence.ts'

const counts = (...told: [ImportOutcome, number, string, string?][]) =>
  told.map(([outcome, rows, amount, charge = '0.00']) => ({ outcome, rows, amount, charge }))

test.each([
  [
    counts(['approve', 812, '406000.00'], ['reject', 131, '-65500.00'], ['reject_paid', 12, '-6000.00', '6000.00']),
    'Se aprobarán 812 leads (+$406,000.00) y se rechazarán 143 leads (−$71,500.00); 12 ya estaban pagados y generan un cargo de $6,000.00.',
  ],
  [
    counts(['reject_paid', 1, '-1000.00', '500.00']),
    'Se rechazará 1 lead (−$1,000.00); 1 ya estaba pagado y genera un cargo de $500.00.',
  ],
  [counts(['approve', 1, '500.00']), 'Se aprobará 1 lead (+$500.00).'],
  [counts(['reject', 3, '0.00']), 'Se rechazarán 3 leads.'],
  [counts(['record', 2, '0.00'], ['unchanged', 7, '0.00']), 'Se registrará el paso de 2 leads.'],
  [counts(['not_found', 3, '0.00']), 'Nada cambia: ningún renglón mueve un lead.'],
])('%#', (told, sentence) => expect(sentenceOf(told)).toBe(sentence))

test.each([
  [
    { remark: 'other_amount', rows: 3, said: '1650.00', known: '1500.00' } as const,
    '3 renglones traen otro monto que la comisión: $1,650.00 en el archivo, $1,500.00 en Afluente.',
  ],
  [{ remark: 'before_click', rows: 2, said: null, known: null } as const, '2 renglones traen fecha anterior al clic.'],
  [
    { remark: 'unreadable_amount', rows: 1, said: null, known: null } as const,
    '1 renglón trae un monto que no se entiende.',
  ],
])('remarks %#', (count, sentence) => expect(remarkSentence(count)).toBe(sentence))

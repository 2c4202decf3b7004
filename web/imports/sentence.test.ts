import { expect, test } from 'vitest'
import type { ImportOutcome } from '#contract/imports.ts'
import { sentenceOf } from './sentence.ts'

const counts = (...told: [ImportOutcome, number, string][]) =>
  told.map(([outcome, rows, amount]) => ({ outcome, rows, amount }))

test.each([
  [
    counts(['approve', 812, '406000.00'], ['reject', 131, '-65500.00'], ['reject_paid', 12, '-6000.00']),
    'Se aprobarán 812 leads (+$406,000.00) y se rechazarán 143 leads (−$71,500.00); 12 ya estaban pagados y generan un cargo de $6,000.00.',
  ],
  [counts(['approve', 1, '500.00']), 'Se aprobará 1 lead (+$500.00).'],
  [counts(['reject', 3, '0.00']), 'Se rechazarán 3 leads.'],
  [counts(['record', 2, '0.00'], ['unchanged', 7, '0.00']), 'Se registrará el paso de 2 leads.'],
  [counts(['not_found', 3, '0.00']), 'Nada cambia: ningún renglón mueve un lead.'],
])('%#', (told, sentence) => expect(sentenceOf(told)).toBe(sentence))

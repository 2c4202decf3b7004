import { expect, test } from 'vitest'
import { type NoticeChoices, noticeMailLabels } from '#contract/notices.ts'
import { render, textOf } from '#web/dashboards/render.testing.tsx'
import { NoticesCard } from './NoticesCard.tsx'
import { noticeChoicesQuery } from './queries.ts'

const choices: NoticeChoices['choices'] = [
  { type: 'payment.paid', in_product: true, mail: 'weekly', is_fixed: false },
  { type: 'lead.rejected', in_product: false, mail: 'off', is_fixed: false },
  { type: 'key.rotated', in_product: true, mail: 'now', is_fixed: true },
]
const cardOf = (mails: boolean) =>
  render(<NoticesCard />, { known: [[noticeChoicesQuery.queryKey, { mails, choices }]] })

test('without mail the card says so and offers none', () => {
  const text = textOf(cardOf(false))
  expect(text).toContain('El correo no está configurado en esta instalación: por ahora solo te avisamos en Afluente.')
  expect(text).toContain(
    'Pagos realizados En Afluente Leads rechazados En Afluente Claves cambiadas Siempre en Afluente',
  )
})

test('with mail each choice says how often', () => {
  const text = textOf(cardOf(true))
  expect(text).not.toContain('El correo no está configurado')
  expect(text).toContain(`Pagos realizados En Afluente Correo ${noticeMailLabels.weekly}`)
  expect(text).toContain(`Leads rechazados En Afluente Correo ${noticeMailLabels.off}`)
})

test('what is of security is not there to be chosen', () => {
  const markup = cardOf(true)
  expect(textOf(markup)).toContain('Claves cambiadas Siempre, en Afluente y por correo: es de seguridad')
  const boxes = [...markup.matchAll(/<input [^>]*type="checkbox"[^>]*>/g)].map(([box]) => box)
  expect(boxes.map((box) => [/aria-label="([^"]*)"/.exec(box)?.[1], box.includes('checked=""')])).toEqual([
    ['Pagos realizados: en Afluente', true],
    ['Leads rechazados: en Afluente', false],
  ])
})

import type { Page } from '@playwright/test'
import { relationships } from '#contract/relationships.ts'
import { makeAffiliate, makeIssuer, makeRelationship } from '#db/factories.ts'
import { expect, test } from './fixtures.ts'
import {
  answerNext,
  callsOf,
  choiceOf,
  choose,
  chooseAction,
  expectHeads,
  expectRow,
  expectToast,
  optionsOf,
} from './screen.ts'

const PATH = '/app/admin/relationships'
const search = (page: Page) => page.getByPlaceholder('Buscar por afiliado, emisor o notas...')
const edit = (page: Page) => page.getByRole('dialog', { name: 'Editar Relación' })

test('the administrator finds relationships, makes one, gives it to another issuer, ends it and deletes it', async ({
  page,
  db,
  signIn,
  pair,
}) => {
  const [affiliate, short, lonely] = [await makeAffiliate(db), await makeAffiliate(db), await makeAffiliate(db)]
  const [issuer, other] = [await makeIssuer(db), await makeIssuer(db)]
  const inactive = { user_status: 'inactive' }
  const [gone, away] = [await makeAffiliate(db, inactive), await makeIssuer(db, inactive)]
  const [whole, long] = ['n'.repeat(50), `Otoño ${'m'.repeat(54)}`]
  await makeRelationship(db, { affiliate_id: affiliate.id, issuer_id: issuer.id, notes: long })
  const since = { created_at: '2024-03-05T18:00:00Z' }
  await makeRelationship(db, { affiliate_id: short.id, issuer_id: issuer.id, notes: whole, ...since })
  await signIn('admin')
  await page.goto(PATH)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Relaciones Afiliado-Emisor')

  await test.step('by both names and the notes, which are cut at 50', async () => {
    expect(await expectHeads(page)).toEqual(['', 'Afiliado', 'Emisor', 'Notas', 'Creado', 'Acciones'])
    for (const text of [affiliate.company_name, `otono ${issuer.company_name}`]) {
      await search(page).fill(text)
      await expectRow(page, { Afiliado: affiliate.company_name, Notas: `${long.slice(0, 50)}…` })
      await expect(page.getByRole('row')).toHaveCount(2)
    }
    await search(page).fill(`nnnnn ${issuer.company_name}`)
    await expectRow(page, { Notas: new RegExp(`^${whole}$`), Creado: '5 de marzo de 2024' })
    const cell = page.getByRole('cell', { name: whole })
    expect(
      await cell.evaluate((each) =>
        [each, ...each.querySelectorAll('*')].some(
          (part) => part.scrollHeight > part.clientHeight + 1 && part.clientHeight > 0,
        ),
      ),
    ).toBe(false)
    await search(page).fill('zzzz')
    await expect(page.getByText('No se encontraron resultados para la búsqueda')).toBeVisible()
    await search(page).fill('')
    await expect(page).toHaveURL(PATH)
  })

  const filter = choiceOf(page, 'Filtrar por afiliado')

  await test.step('each picker narrows the other', async () => {
    await choose(page, 'Filtrar por afiliado', pair.affiliate.company_name)
    await expectRow(page, { Afiliado: pair.affiliate.company_name, Emisor: pair.issuer.company_name })
    expect(await optionsOf(page, 'Filtrar por emisor')).toEqual(['Todos los emisores', pair.issuer.company_name])
  })

  await test.step('erased, one filters no longer, and what is typed next stands alone', async () => {
    await filter.click()
    await page.keyboard.press('Backspace')
    await expect(filter).toHaveValue('')
    await expect(page).toHaveURL(PATH)
    await page.keyboard.type(lonely.company_name)
    await expect(page.getByRole('option')).toHaveText([lonely.company_name])
    await page.keyboard.press('Escape')
    await expect(filter).toHaveValue('Todos los afiliados')
    await filter.click()
    await page.keyboard.press('Backspace')
    await expect(filter).toHaveValue('')
    await page.keyboard.press('Tab')
    await expect(filter).toHaveValue('Todos los afiliados')
  })

  await test.step('the other narrows it too, until all are asked for', async () => {
    const { company_name } = pair.issuer
    await choose(page, 'Filtrar por emisor', company_name)
    const narrowed = ['Todos los afiliados', pair.affiliate.company_name]
    expect(await optionsOf(page, 'Filtrar por afiliado')).toEqual(narrowed)
    await choose(page, 'Filtrar por emisor', 'Todos los emisores')
    await choose(page, 'Filtrar por afiliado', lonely.company_name)
    await expect(page.getByText('No se encontraron resultados para la búsqueda')).toBeVisible()
  })

  const dialog = page.getByRole('dialog', { name: 'Nueva Relación' })
  const save = dialog.getByRole('button', { name: 'Crear', exact: true })
  const open = page.getByRole('button', { name: 'Nueva Relación' })

  await test.step('the form says what is wrong, and offers nobody who is inactive', async () => {
    await open.click()
    await save.click()
    await expect(dialog.getByText('Debe seleccionar un afiliado')).toBeVisible()
    await expect(dialog.getByText('Debe seleccionar un emisor')).toBeVisible()
    await dialog.getByLabel('Notas').fill('x'.repeat(1001))
    await expect(dialog.getByText('1001/1000')).toBeVisible()
    await expect(dialog.getByText('Las notas no pueden exceder 1000 caracteres')).toBeVisible()
    for (const [label, none] of [
      ['Afiliado', gone],
      ['Emisor', away],
    ] as const) {
      await choiceOf(dialog, label).fill(none.company_name)
      await expect(page.getByText('Sin resultados')).toBeVisible()
      await page.keyboard.press('Escape')
    }
  })

  await test.step('it is made once; the second time it is refused by name', async () => {
    await dialog.getByLabel('Notas').fill('Campaña de otoño')
    await choose(dialog, 'Afiliado', lonely.company_name)
    await choose(dialog, 'Emisor', pair.issuer.company_name)
    await save.click()
    await expectToast(page, 'Relación creada exitosamente')
    await expectRow(page, { Afiliado: lonely.company_name, Notas: 'Campaña de otoño' })
    await open.click()
    await choose(dialog, 'Afiliado', lonely.company_name)
    await choose(dialog, 'Emisor', pair.issuer.company_name)
    await save.click()
    const refusal = `Ya existe una relación entre ${lonely.company_name} y ${pair.issuer.company_name}`
    await expectToast(page, refusal)
    await expect(dialog.getByText(refusal)).toBeVisible()
    await dialog.getByRole('button', { name: 'Cancelar' }).click()
    await page.getByRole('alertdialog').getByRole('button').last().click()
    await expect(dialog).toBeHidden()
  })

  await test.step('another pair is asked about, old name to new', async () => {
    const calls = callsOf(page, relationships.update)
    await page.getByRole('button', { name: /^Editar/ }).click()
    await choose(edit(page), 'Emisor', other.company_name)
    const update = edit(page).getByRole('button', { name: 'Actualizar' })
    await update.click()
    const question = page.getByRole('alertdialog', { name: 'Confirmar Cambios' })
    await expect(question.getByText(pair.issuer.company_name, { exact: true })).toBeVisible()
    await expect(question.getByText(other.company_name, { exact: true })).toBeVisible()
    await question.getByRole('button', { name: 'Cancelar' }).click()
    await expect(question).toBeHidden()
    expect(calls).toEqual([])
    await update.click()
    await question.getByRole('button', { name: 'Confirmar' }).click()
    await expectToast(page, 'Relación actualizada exitosamente')
    await expect(edit(page)).toBeHidden()
    await expectRow(page, { Emisor: other.company_name })
  })

  await test.step('notes and status are saved at once; inactivating says what it does', async () => {
    await page.getByRole('button', { name: /^Editar/ }).click()
    await edit(page).getByLabel('Notas').fill('Nota nueva')
    expect(await optionsOf(edit(page), 'Estado')).toEqual(['Activa', 'Inactiva'])
    await choose(edit(page), 'Estado', 'Inactiva')
    await expect(edit(page).getByText(/dejan de funcionar.*se paga como finiquito/)).toBeVisible()
    const update = edit(page).getByRole('button', { name: 'Actualizar' })
    await answerNext(page, relationships.update, 200, { success: false, data: null, message: null, errors: null })
    await update.click()
    await expectToast(page, 'Ocurrió un error al guardar la relación')
    await expect(edit(page)).toBeVisible()
    await update.click()
    await expect(edit(page)).toBeHidden()
    await expectRow(page, { Afiliado: 'Inactiva', Notas: 'Nota nueva' })
  })

  await test.step('it is deleted after a question', async () => {
    await chooseAction(page, /^Eliminar/)
    const question = page.getByRole('alertdialog', { name: 'Estás seguro?' })
    await question.getByRole('button', { name: 'Eliminar' }).click()
    await expectToast(page, 'Relación eliminada exitosamente')
    await expect(page.getByText('No se encontraron resultados para la búsqueda')).toBeVisible()
  })
})

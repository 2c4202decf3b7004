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
  expectNoViolations,
  expectRow,
  expectToast,
  failNext,
  hold,
  optionsOf,
  success,
} from './screen.ts'

const PATH = '/app/admin/relationships'
const search = (page: Page) => page.getByPlaceholder('Buscar por afiliado, emisor o notas...')

/** The page with one relationship in sight. */
const only = (affiliate: { company_name: string }) => `${PATH}?q=${encodeURIComponent(affiliate.company_name)}`
const edit = (page: Page) => page.getByRole('dialog', { name: 'Editar Relación' })

test('the list is searched by both names and the notes, which are cut at 50', async ({ page, db, signIn }) => {
  const [affiliate, issuer] = [await makeAffiliate(db), await makeIssuer(db)]
  const [whole, long] = ['n'.repeat(50), `Otoño ${'m'.repeat(54)}`]
  await makeRelationship(db, { affiliate_id: affiliate.id, issuer_id: issuer.id, notes: long })
  const short = await makeAffiliate(db)
  await makeRelationship(db, {
    affiliate_id: short.id,
    issuer_id: issuer.id,
    notes: whole,
    created_at: '2024-03-05T18:00:00Z',
  })
  await signIn('admin')
  await page.goto(PATH)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Relaciones Afiliado-Emisor')
  expect(await expectHeads(page)).toEqual(['', 'Afiliado', 'Emisor', 'Notas', 'Creado', 'Acciones'])
  for (const text of [affiliate.company_name, `otono ${issuer.company_name}`]) {
    await search(page).fill(text)
    await expectRow(page, { Afiliado: affiliate.company_name, Notas: `${long.slice(0, 50)}…` })
    await expect(page.getByRole('row')).toHaveCount(2)
  }
  await search(page).fill(`nnnnn ${issuer.company_name}`)
  await expectRow(page, { Notas: new RegExp(`^${whole}$`), Creado: '5 de marzo de 2024' })
  await search(page).fill('zzzz')
  await expect(page.getByText('No se encontraron resultados para la búsqueda')).toBeVisible()
})

test('who is inactive is offered for no new relationship', async ({ page, signIn, pair, db }) => {
  const inactive = { user_status: 'inactive' }
  const [affiliate, issuer] = [await makeAffiliate(db, inactive), await makeIssuer(db, inactive)]
  await signIn('admin')
  await page.goto(PATH)
  await page.getByRole('button', { name: 'Nueva Relación' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Nueva Relación' })
  for (const [label, gone, here] of [
    ['Afiliado', affiliate, pair.affiliate],
    ['Emisor', issuer, pair.issuer],
  ] as const) {
    await choose(dialog, label, here.company_name)
    await choiceOf(dialog, label).fill(gone.company_name)
    await expect(page.getByText('Sin resultados')).toBeVisible()
    await page.keyboard.press('Escape')
  }
})

test('each picker narrows the other', async ({ page, signIn, pair, db }) => {
  const lonely = await makeAffiliate(db)
  await signIn('admin')
  await page.goto(PATH)
  await choose(page, 'Filtrar por afiliado', pair.affiliate.company_name)
  await expectRow(page, { Afiliado: pair.affiliate.company_name, Emisor: pair.issuer.company_name })
  expect(await optionsOf(page, 'Filtrar por emisor')).toEqual(['Todos los emisores', pair.issuer.company_name])
  // Erased, it filters no longer, and what is typed next stands alone.
  const filter = choiceOf(page, 'Filtrar por afiliado')
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
  await choose(page, 'Filtrar por emisor', pair.issuer.company_name)
  expect(await optionsOf(page, 'Filtrar por afiliado')).toEqual(['Todos los afiliados', pair.affiliate.company_name])
  await choose(page, 'Filtrar por emisor', 'Todos los emisores')
  await choose(page, 'Filtrar por afiliado', lonely.company_name)
  await expect(page.getByText('No se encontraron resultados para la búsqueda')).toBeVisible()
})

test('a relationship is created once; the second time is refused by name', async ({
  page,
  signIn,
  affiliate,
  issuer,
}) => {
  await signIn('admin')
  await page.goto(only(affiliate))
  const dialog = page.getByRole('dialog', { name: 'Nueva Relación' })
  const save = dialog.getByRole('button', { name: 'Crear', exact: true })
  const calls = callsOf(page, relationships.create)
  const open = page.getByRole('button', { name: 'Nueva Relación' })
  await open.click()
  await save.click()
  await expect(dialog.getByText('Debe seleccionar un afiliado')).toBeVisible()
  await expect(dialog.getByText('Debe seleccionar un emisor')).toBeVisible()
  await dialog.getByLabel('Notas').fill('x'.repeat(1001))
  await expect(dialog.getByText('1001/1000')).toBeVisible()
  await expect(dialog.getByText('Las notas no pueden exceder 1000 caracteres')).toBeVisible()
  await expectNoViolations(page)
  expect(calls).toEqual([])
  await dialog.getByLabel('Notas').fill('Campaña de otoño')
  await choose(dialog, 'Afiliado', affiliate.company_name)
  await choose(dialog, 'Emisor', issuer.company_name)
  await save.click()
  await expectToast(page, 'Relación creada exitosamente')
  await expectRow(page, { Afiliado: affiliate.company_name, Notas: 'Campaña de otoño' })
  await open.click()
  await choose(dialog, 'Afiliado', affiliate.company_name)
  await choose(dialog, 'Emisor', issuer.company_name)
  await save.click()
  const refusal = `Ya existe una relación entre ${affiliate.company_name} y ${issuer.company_name}`
  await expectToast(page, refusal)
  await expect(dialog.getByText(refusal)).toBeVisible()
})

test('a change of the pair is asked about, old name to new', async ({ page, db, signIn, pair }) => {
  const other = await makeIssuer(db)
  await signIn('admin')
  await page.goto(only(pair.affiliate))
  const calls = callsOf(page, relationships.update)
  await page.getByRole('button', { name: /^Editar/ }).click()
  await choose(edit(page), 'Emisor', other.company_name)
  const save = edit(page).getByRole('button', { name: 'Actualizar' })
  await save.click()
  const question = page.getByRole('alertdialog', { name: 'Confirmar Cambios' })
  await expect(question.getByText(pair.issuer.company_name, { exact: true })).toBeVisible()
  await expect(question.getByText(other.company_name, { exact: true })).toBeVisible()
  await expectNoViolations(page)
  await question.getByRole('button', { name: 'Cancelar' }).click()
  await expect(question).toBeHidden()
  expect(calls).toEqual([])
  await save.click()
  await question.getByRole('button', { name: 'Confirmar' }).click()
  await expectToast(page, 'Relación actualizada exitosamente')
  await expect(edit(page)).toBeHidden()
  await expectRow(page, { Emisor: other.company_name })
})

test('notes and status are saved at once, and inactivating says what it does', async ({ page, signIn, pair }) => {
  await signIn('admin')
  await page.goto(only(pair.affiliate))
  await page.getByRole('button', { name: /^Editar/ }).click()
  await edit(page).getByLabel('Notas').fill('Nota nueva')
  expect(await optionsOf(edit(page), 'Estado')).toEqual(['Activa', 'Inactiva'])
  await choose(edit(page), 'Estado', 'Inactiva')
  await expect(edit(page).getByText(/dejan de funcionar.*se paga como finiquito/)).toBeVisible()
  const save = edit(page).getByRole('button', { name: 'Actualizar' })
  await answerNext(page, relationships.update, 200, { success: false, data: null, message: null, errors: null })
  await save.click()
  await expectToast(page, 'Ocurrió un error al guardar la relación')
  await expect(edit(page)).toBeVisible()
  await save.click()
  await expectToast(page, 'Relación actualizada exitosamente')
  await expectRow(page, { Afiliado: 'Inactiva', Notas: 'Nota nueva' })
})

test('a relationship is deleted after a question', async ({ page, signIn, pair }) => {
  await signIn('admin')
  // By id: the name 'Portal 1' also finds 'Portal 12', which another test may have made.
  await page.goto(`${PATH}?afiliado=${pair.affiliate.id}`)
  const question = page.getByRole('alertdialog', { name: 'Estás seguro?' })
  await chooseAction(page, /^Eliminar/)
  await question.getByRole('button', { name: 'Eliminar' }).click()
  await expectToast(page, 'Relación eliminada exitosamente')
  await expect(page.getByText('No se encontraron resultados para la búsqueda')).toBeVisible()
})

test('loading, nothing and failure each say so', async ({ page, signIn, pair }) => {
  await signIn('admin')
  await answerNext(page, relationships.list, 200, success([]))
  const answered = await hold(page, relationships.list)
  await page.goto(PATH)
  await expect(page.getByText('Cargando relaciones...')).toBeVisible()
  answered()
  await expect(page.getByText('No se encontraron relaciones')).toBeVisible()
  await failNext(page, relationships.list)
  await page.reload()
  await expectToast(page, 'Ocurrió un error inesperado')
  await page.getByRole('button', { name: 'Reintentar' }).click()
  await choose(page, 'Filtrar por afiliado', pair.affiliate.company_name)
  await expect(choiceOf(page, 'Filtrar por afiliado')).toHaveValue(pair.affiliate.company_name)
  await expectRow(page, { Afiliado: pair.affiliate.company_name })
  await expectNoViolations(page)
})

import type { Page } from '@playwright/test'
import { affiliates } from '#contract/affiliates.ts'
import { auth } from '#contract/auth.ts'
import { issuers } from '#contract/issuers.ts'
import { users } from '#contract/users.ts'
import { makeUser, unique } from '#db/factories.ts'
import { expect, PASSWORD, test } from './fixtures.ts'
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
  openAction,
  optionsOf,
  success,
} from './screen.ts'

const PATH = '/app/admin/users'
const search = (page: Page) => page.getByPlaceholder('Buscar por nombre, email, rol o asociación...')
const associations = (page: Page) => choiceOf(page, 'Filtrar por asociación')
const NO_MATCH = 'No se encontraron resultados para la búsqueda'

test('the table shows who may enter, and the search reads five fields', async ({ page, db, signIn, affiliate }) => {
  const person = await makeUser(
    db,
    { role: 'affiliate', affiliateId: affiliate.id },
    { first_name: 'Ángela', created_at: '2024-03-05T18:00:00Z', last_login: '2025-01-02T18:30:00Z' },
  )
  await signIn('admin')
  await page.goto(PATH)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Usuarios')
  expect(await expectHeads(page)).toEqual([
    'Nombre',
    'Email',
    'Rol',
    'Asociación',
    'Fecha de Creación',
    'Último acceso',
    'Acciones',
  ])
  for (const text of ['angela prueba', person.email, 'AFILIADO', 'affiliate', affiliate.company_name]) {
    await search(page).fill(`${text} ${person.email.split('@')[0]}`)
    await expect(page.getByRole('row')).toHaveCount(2)
  }
  const row = await expectRow(page, {
    Nombre: 'Ángela Prueba',
    Email: person.email,
    Rol: 'Afiliado',
    Asociación: affiliate.company_name,
    'Fecha de Creación': '5 de marzo de 2024',
    'Último acceso': '02/01/2025',
  })
  await row.getByText('02/01/2025').hover()
  await expect(page.getByText(/2 de enero de 2025.*12:30 \(/)).toBeVisible()
  await page.setViewportSize({ width: 375, height: 800 })
  await expect(page.getByText(person.email)).toBeVisible()
  await expect(page.getByText('02/01/2025')).toBeHidden()
  await search(page).fill('zzzz')
  await expect(page.getByText(NO_MATCH)).toBeVisible()
})

test('the filters of role and association know of each other', async ({ page, db, signIn, affiliate, issuer }) => {
  const [theirs, ours] = [
    await makeUser(db, { role: 'affiliate', affiliateId: affiliate.id }),
    await makeUser(db, { role: 'issuer', issuerId: issuer.id }),
  ]
  const admin = await makeUser(db, { role: 'admin' }, { first_name: 'Sola' })
  await signIn('admin')
  await page.goto(PATH)
  expect(await optionsOf(page, 'Filtrar por rol')).toEqual(['Todos los roles', 'Administrador', 'Afiliado', 'Emisor'])
  await choose(page, 'Filtrar por asociación', `${affiliate.company_name} Afiliado`)
  await expect(page.getByRole('row')).toHaveCount(2)
  await expectRow(page, { Email: theirs.email })
  await expect(page.getByText('1 usuario', { exact: true })).toBeVisible()
  await choose(page, 'Filtrar por rol', 'Emisor')
  await expect(associations(page)).toHaveValue('Todas las asociaciones')
  await choose(page, 'Filtrar por asociación', `${issuer.company_name} Emisor`)
  await expect(page.getByRole('row')).toHaveCount(2)
  await expectRow(page, { Email: ours.email })
  await choose(page, 'Filtrar por rol', 'Administrador')
  await expect(associations(page)).toBeDisabled()
  await expect(associations(page)).toHaveValue('Todas las asociaciones')
  await search(page).fill(admin.email)
  await expectRow(page, { Email: admin.email, Asociación: 'Sin asociación' })
  await choose(page, 'Filtrar por rol', 'Todos los roles')
  await choose(page, 'Filtrar por asociación', 'Sin asociación')
  await expectRow(page, { Email: admin.email })
  await search(page).fill(ours.email)
  await expect(page.getByText(NO_MATCH)).toBeVisible()
})

test('companies that their own lists have loaded are not loaded again for the filter', async ({
  page,
  signIn,
  affiliate,
  issuer,
}) => {
  await signIn('admin')
  const calls = [callsOf(page, affiliates.list), callsOf(page, issuers.list)]
  await page.goto('/app/admin/affiliates')
  const menu = page.getByRole('navigation', { name: 'Panel Administrador' })
  for (const screen of ['Afiliados', 'Emisores', 'Usuarios']) {
    await menu.getByRole('link', { name: screen }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(screen)
    await expect(page.getByRole('row').nth(1)).toBeVisible()
  }
  await choose(page, 'Filtrar por asociación', `${affiliate.company_name} Afiliado`)
  await choose(page, 'Filtrar por asociación', `${issuer.company_name} Emisor`)
  expect(calls.map(({ length }) => length)).toEqual([1, 1])
})

test('a user is created; the role decides on the association', async ({ page, signIn, affiliate, issuer }) => {
  await signIn('admin')
  await page.goto(PATH)
  await page.getByRole('button', { name: 'Nuevo Usuario' }).click()
  const dialog = page.getByRole('dialog', { name: 'Nuevo Usuario' })
  const email = `nueva${unique()}@empresa.mx`
  await dialog.getByLabel('Nombre', { exact: true }).fill('José')
  await dialog.getByLabel('Apellidos').fill('Ñúñez')
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByLabel('Contraseña', { exact: true }).fill(PASSWORD)
  await choose(dialog, 'Rol', 'Emisor')
  await choose(dialog, 'Emisor', issuer.company_name)
  await choose(dialog, 'Rol', 'Afiliado')
  await expect(choiceOf(dialog, 'Emisor')).toHaveCount(0)
  await choose(dialog, 'Afiliado', affiliate.company_name)
  await expect(choiceOf(dialog, 'Estado')).toHaveText('Activo')
  const sent = page.waitForRequest((request) => request.method() === 'POST')
  await dialog.getByRole('button', { name: 'Crear', exact: true }).click()
  expect((await sent).postDataJSON()).toEqual({
    email,
    first_name: 'José',
    last_name: 'Ñúñez',
    password: PASSWORD,
    role: 'affiliate',
    affiliate_id: affiliate.id,
    issuer_id: null,
  })
  await expectToast(page, 'Usuario creado exitosamente')
  await expect(dialog).toBeHidden()
  await search(page).fill(email)
  await expectRow(page, { Nombre: 'José Ñúñez', Rol: 'Afiliado', Asociación: affiliate.company_name })
})

test('the form says what is wrong and sends nothing', async ({ page, signIn }) => {
  await signIn('admin')
  await page.goto(PATH)
  const calls = callsOf(page, users.create)
  await page.getByRole('button', { name: 'Nuevo Usuario' }).click()
  const dialog = page.getByRole('dialog', { name: 'Nuevo Usuario' })
  const save = dialog.getByRole('button', { name: 'Crear', exact: true })
  await save.click()
  for (const text of [
    'El correo electrónico es requerido',
    'La contraseña debe tener al menos 8 caracteres',
    'Rol es requerido',
  ])
    await expect(dialog.getByText(text)).toBeVisible()
  for (const role of ['Afiliado', 'Emisor']) {
    await choose(dialog, 'Rol', role)
    await save.click()
    await expect(dialog.getByText('Debe seleccionar la asociación correspondiente según el rol')).toBeVisible()
  }
  expect(await optionsOf(dialog, 'Estado')).toEqual(['Activo', 'Inactivo', 'Suspendido'])
  await expectNoViolations(page)
  expect(calls).toEqual([])
  await dialog.getByRole('button', { name: 'Cancelar' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Descartar' }).click()
  await expect(dialog).toBeHidden()
})

test('an address in use is refused beside the field, anything else in the words of the screen', async ({
  page,
  db,
  signIn,
}) => {
  const [user, other] = [await makeUser(db, { role: 'admin' }), await makeUser(db, { role: 'admin' })]
  await signIn('admin')
  await page.goto(`${PATH}?q=${user.email}`)
  await page.getByRole('button', { name: /^Editar/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Editar Usuario' })
  const save = dialog.getByRole('button', { name: 'Actualizar' })
  await dialog.getByLabel('Email').fill(other.email)
  await save.click()
  await expect(dialog.getByText('Este correo ya está en uso.')).toBeVisible()
  await dialog.getByLabel('Email').fill(user.email)
  await answerNext(page, users.update, 500, { message: 'kaput' })
  await save.click()
  await expectToast(page, 'Ocurrió un error al procesar la solicitud')
  await expect(dialog).toBeVisible()
})

test('a user is edited, suspended and given another role', async ({ page, db, signIn, affiliate, issuer }) => {
  const user = await makeUser(db, { role: 'issuer', issuerId: issuer.id })
  await signIn('admin')
  await page.goto(`${PATH}?q=${user.email}`)
  const dialog = page.getByRole('dialog', { name: 'Editar Usuario' })
  const save = dialog.getByRole('button', { name: 'Actualizar' })
  await page.getByRole('button', { name: 'Editar Ana Prueba' }).click()
  await expect(dialog.getByLabel('Email')).toHaveValue(user.email)
  await expect(dialog.getByLabel('Contraseña')).toHaveCount(0)
  await choose(dialog, 'Rol', 'Afiliado')
  await choose(dialog, 'Afiliado', affiliate.company_name)
  await choose(dialog, 'Estado', 'Suspendido')
  await save.click()
  await expectToast(page, 'Usuario actualizado exitosamente')
  await expectRow(page, { Nombre: 'Suspendido', Rol: 'Afiliado', Asociación: affiliate.company_name })
  await page.getByRole('button', { name: 'Editar Ana Prueba' }).click()
  await choose(dialog, 'Rol', 'Administrador')
  const sent = page.waitForRequest((request) => request.method() === 'PUT')
  await save.click()
  const { email, first_name, last_name } = user
  const names = { id: user.id, email, first_name, last_name }
  const body = { ...names, role: 'admin', affiliate_id: null, issuer_id: null, user_status: 'suspended' }
  expect((await sent).postDataJSON()).toEqual({ ...body, duty: 'owner' })
  await expectRow(page, { Rol: 'Administrador', Asociación: 'Sin asociación' })
})

test('a user is deleted after a question', async ({ page, db, signIn }) => {
  const user = await makeUser(db, { role: 'admin' })
  await signIn('admin')
  await page.goto(`${PATH}?q=${user.email}`)
  const question = page.getByRole('alertdialog', { name: 'Estás seguro?' })
  await chooseAction(page, 'Eliminar Ana Prueba')
  await question.getByRole('button', { name: 'Cancelar' }).click()
  await expectRow(page, { Email: user.email })
  await chooseAction(page, 'Eliminar Ana Prueba')
  await question.getByRole('button', { name: 'Eliminar' }).click()
  await expectToast(page, 'Usuario eliminado exitosamente')
  await expect(page.getByText(NO_MATCH)).toBeVisible()
})

test('an administrator gives another password and ends sessions', async ({ page, makePerson, signIn, issuer }) => {
  const person = await makePerson('issuer', issuer)
  await signIn('admin')
  await page.goto(`${PATH}?q=${person.email}`)
  await chooseAction(page, /^Restablecer contraseña de/)
  const dialog = page.getByRole('dialog', { name: 'Restablecer contraseña' })
  await dialog.getByLabel('Contraseña nueva').fill('password')
  await dialog.getByRole('button', { name: 'Restablecer', exact: true }).click()
  await expect(dialog.getByText('Esta contraseña es demasiado común. Elige otra.')).toBeVisible()
  await dialog.getByLabel('Contraseña nueva').fill('Otra-Orilla-27')
  await dialog.getByRole('button', { name: 'Restablecer', exact: true }).click()
  await expectToast(page, 'Contraseña restablecida exitosamente')
  await chooseAction(page, /^Cerrar sesiones de/)
  await page
    .getByRole('alertdialog', { name: 'Cerrar sesiones' })
    .getByRole('button', { name: 'Cerrar sesiones' })
    .click()
  await expectToast(page, 'Sesiones cerradas exitosamente')
})

test('the own user can be edited but not taken away', async ({ page, signIn }) => {
  const { email } = await (await signIn('admin')).call(auth.profile)
  await page.goto(`${PATH}?q=${email}`)
  await openAction(page.getByRole('table'), /^Eliminar/)
  for (const name of [/^Restablecer contraseña de/, /^Cerrar sesiones de/, /^Eliminar/])
    await expect(page.getByRole('menuitem', { name })).toBeDisabled()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Editar/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Editar Usuario' })
  await expect(choiceOf(dialog, 'Rol')).toBeDisabled()
  await expect(choiceOf(dialog, 'Estado')).toBeDisabled()
})

test('loading, nothing and failure each say so', async ({ page, signIn }) => {
  const { email } = await (await signIn('admin')).call(auth.profile)
  await answerNext(page, users.list, 200, success([]))
  const answered = await hold(page, users.list)
  await page.goto(PATH)
  await expect(page.getByText('Cargando usuarios...')).toBeVisible()
  answered()
  await expect(page.getByText('No se encontraron usuarios')).toBeVisible()
  await failNext(page, users.list)
  await page.reload()
  await expectToast(page, 'Ocurrió un error inesperado')
  await page.getByRole('button', { name: 'Reintentar' }).click()
  await search(page).fill(email)
  await expectRow(page, { Email: email })
  await expectNoViolations(page)
})

test('the words of a button do not cover the menu that it opened', async ({ page, signIn, issuer, db }) => {
  const { email } = await makeUser(db, { role: 'issuer', issuerId: issuer.id })
  await signIn('admin')
  await page.goto(`/app/admin/users?q=${email}`)
  const button = page.getByRole('table').getByRole('button', { name: /Más acciones de/ })
  const words = page.locator('[popover]', { hasText: 'Más acciones de' })
  await button.hover()
  await expect(words).toBeVisible()
  await button.click()
  await expect(page.getByRole('menu')).toBeVisible()
  await page.waitForTimeout(500) // longer than the words wait to be shown
  await expect(words).toBeHidden()
})

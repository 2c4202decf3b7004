import type { Page } from '@playwright/test'
import { auth } from '#contract/auth.ts'
import { users } from '#contract/users.ts'
import { makeAffiliate, makeUser, unique } from '#db/factories.ts'
import { expect, PASSWORD, test } from './fixtures.ts'
import {
  callsOf,
  choiceOf,
  choose,
  chooseAction,
  expectHeads,
  expectRow,
  expectToast,
  openAction,
  optionsOf,
} from './screen.ts'

const search = (page: Page) => page.getByPlaceholder('Buscar por nombre, email, rol o asociación...')
const NO_MATCH = 'No se encontraron resultados para la búsqueda'

/** Timers end in the order of their times: those of what waits to be shown, 350 ms, have ended by then. */
const untilTimersEnded = (page: Page) => page.evaluate(() => new Promise((ended) => setTimeout(ended, 500)))

test('an administrator finds users, makes, changes, locks out and deletes them, and cannot take away the own one', async ({
  page,
  db,
  makePerson,
  signIn,
  affiliate,
  issuer,
}) => {
  const closed = await makeAffiliate(db, { user_status: 'inactive' })
  const person = await makeUser(
    db,
    { role: 'affiliate', affiliateId: affiliate.id },
    { first_name: 'Ángela', created_at: '2024-03-05T18:00:00Z', last_login: '2025-01-02T18:30:00Z' },
  )
  const theirs = await makeUser(db, { role: 'affiliate', affiliateId: closed.id })
  const ours = await makePerson('issuer', issuer)
  const admin = await makeUser(db, { role: 'admin' }, { first_name: 'Sola' })
  const me = await (await signIn('admin')).call(auth.profile)
  await page.goto('/app/admin/users')

  await test.step('the table shows who may enter, and since when they were here', async () => {
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
    // With the words of the menu some would be cut here.
    await page.setViewportSize({ width: 1366, height: 768 })
    await page.reload()
    await expect(page.getByRole('button', { name: 'Expandir menú' })).toBeVisible()
    await page.setViewportSize({ width: 1440, height: 900 })
    await search(page).fill(`angela afiliado ${person.email.split('@')[0]}`)
    await expect(page.getByRole('row')).toHaveCount(2)
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
  })

  await test.step('the words of a button do not cover the menu that it opened', async () => {
    const button = page.getByRole('table').getByRole('button', { name: /Más acciones de/ })
    const words = page.locator('[popover]', { hasText: 'Más acciones de' })
    await button.hover()
    await expect(words).toBeVisible()
    await button.click()
    await expect(page.getByRole('menu')).toBeVisible()
    await untilTimersEnded(page)
    await expect(words).toBeHidden()
    await page.keyboard.press('Escape')
  })

  await test.step('on a phone the last visit is left out', async () => {
    const desk = page.viewportSize()
    await page.setViewportSize({ width: 375, height: 800 })
    await expect(page.getByText(person.email)).toBeVisible()
    await expect(page.getByText('02/01/2025')).toBeHidden()
    if (desk) await page.setViewportSize(desk)
  })

  await test.step('the filters of role and association know of each other', async () => {
    const associations = choiceOf(page, 'Filtrar por asociación')
    await search(page).fill('')
    expect(await optionsOf(page, 'Filtrar por rol')).toEqual(['Todos los roles', 'Administrador', 'Afiliado', 'Emisor'])
    // Also a company that is inactive.
    await choose(page, 'Filtrar por asociación', `${closed.company_name} Afiliado`)
    await expect(page.getByRole('row')).toHaveCount(2)
    await expectRow(page, { Email: theirs.email })
    await expect(page.getByText('1 usuario', { exact: true })).toBeVisible()
    await choose(page, 'Filtrar por rol', 'Emisor')
    await expect(associations).toHaveValue('Todas las asociaciones')
    await choose(page, 'Filtrar por asociación', `${issuer.company_name} Emisor`)
    await expect(page.getByRole('row')).toHaveCount(2)
    await expectRow(page, { Email: ours.email })
    await choose(page, 'Filtrar por rol', 'Administrador')
    await expect(associations).toBeDisabled()
    await expect(associations).toHaveValue('Todas las asociaciones')
    await search(page).fill(admin.email)
    await expectRow(page, { Email: admin.email, Asociación: 'Sin asociación' })
    await choose(page, 'Filtrar por rol', 'Todos los roles')
    await choose(page, 'Filtrar por asociación', 'Sin asociación')
    await expectRow(page, { Email: admin.email })
    await search(page).fill(ours.email)
    await expect(page.getByText(NO_MATCH)).toBeVisible()
    await choose(page, 'Filtrar por asociación', 'Todas las asociaciones')
    await expectRow(page, { Email: ours.email })
  })

  await test.step('the form says what is wrong and sends nothing; left, it asks', async () => {
    const calls = callsOf(page, users.create)
    await page.getByRole('button', { name: 'Nuevo Usuario' }).click()
    const dialog = page.getByRole('dialog', { name: 'Nuevo Usuario' })
    const save = dialog.getByRole('button', { name: 'Crear', exact: true })
    await save.click()
    await expect(dialog.getByText('El correo electrónico es requerido')).toBeVisible()
    await expect(dialog.getByText('Rol es requerido')).toBeVisible()
    await choose(dialog, 'Rol', 'Emisor')
    await save.click()
    await expect(dialog.getByText('Debe seleccionar la asociación correspondiente según el rol')).toBeVisible()
    expect(await optionsOf(dialog, 'Estado')).toEqual(['Activo', 'Inactivo', 'Suspendido'])
    expect(calls).toEqual([])
    await dialog.getByRole('button', { name: 'Cancelar' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Descartar' }).click()
    await expect(dialog).toBeHidden()
  })

  const email = `nueva${unique()}@empresa.mx`
  await test.step('a user is created; the role decides on the association', async () => {
    await page.getByRole('button', { name: 'Nuevo Usuario' }).click()
    const dialog = page.getByRole('dialog', { name: 'Nuevo Usuario' })
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

  await test.step('an address in use is refused beside the field', async () => {
    await search(page).fill(ours.email)
    await page.getByRole('button', { name: `Editar ${ours.name}` }).click()
    const dialog = page.getByRole('dialog', { name: 'Editar Usuario' })
    await expect(dialog.getByLabel('Email')).toHaveValue(ours.email)
    await expect(dialog.getByLabel('Contraseña')).toHaveCount(0)
    await dialog.getByLabel('Email').fill(email)
    await dialog.getByRole('button', { name: 'Actualizar' }).click()
    await expect(dialog.getByText('Este correo ya está en uso.')).toBeVisible()
    await dialog.getByLabel('Email').fill(ours.email)
  })

  await test.step('a user is given another role, and suspended', async () => {
    const dialog = page.getByRole('dialog', { name: 'Editar Usuario' })
    const save = dialog.getByRole('button', { name: 'Actualizar' })
    await choose(dialog, 'Rol', 'Afiliado')
    await choose(dialog, 'Afiliado', affiliate.company_name)
    await choose(dialog, 'Estado', 'Suspendido')
    await save.click()
    await expectToast(page, 'Usuario actualizado exitosamente')
    await expectRow(page, { Nombre: 'Suspendido', Rol: 'Afiliado', Asociación: affiliate.company_name })
    await page.getByRole('button', { name: `Editar ${ours.name}` }).click()
    await choose(dialog, 'Rol', 'Administrador')
    const sent = page.waitForRequest((request) => request.method() === 'PUT')
    await save.click()
    const saved = { email: ours.email, role: 'admin', affiliate_id: null, issuer_id: null, duty: 'owner' }
    const names = { id: expect.any(Number), first_name: 'Ana', last_name: 'Prueba' }
    expect((await sent).postDataJSON()).toEqual({ ...names, ...saved, user_status: 'suspended' })
    await expectRow(page, { Rol: 'Administrador', Asociación: 'Sin asociación' })
  })

  await test.step('an administrator gives another password and ends sessions', async () => {
    await search(page).fill(email)
    const row = await expectRow(page, { Email: email })
    await chooseAction(row, /^Restablecer contraseña de/)
    const dialog = page.getByRole('dialog', { name: 'Restablecer contraseña' })
    await dialog.getByLabel('Contraseña nueva').fill('password')
    await dialog.getByRole('button', { name: 'Restablecer', exact: true }).click()
    await expect(dialog.getByText('Esta contraseña es demasiado común. Elige otra.')).toBeVisible()
    await dialog.getByLabel('Contraseña nueva').fill('Otra-Orilla-27')
    await dialog.getByRole('button', { name: 'Restablecer', exact: true }).click()
    await expectToast(page, 'Contraseña restablecida exitosamente')
    await chooseAction(row, /^Cerrar sesiones de/)
    const question = page.getByRole('alertdialog', { name: 'Cerrar sesiones' })
    await question.getByRole('button', { name: 'Cerrar sesiones' }).click()
    await expectToast(page, 'Sesiones cerradas exitosamente')
  })

  await test.step('a user is deleted after a question', async () => {
    const question = page.getByRole('alertdialog', { name: 'Estás seguro?' })
    await chooseAction(page, 'Eliminar José Ñúñez')
    await question.getByRole('button', { name: 'Cancelar' }).click()
    await expectRow(page, { Email: email })
    await chooseAction(page, 'Eliminar José Ñúñez')
    await question.getByRole('button', { name: 'Eliminar' }).click()
    await expectToast(page, 'Usuario eliminado exitosamente')
    await expect(page.getByText(NO_MATCH)).toBeVisible()
  })

  await test.step('the own user can be edited but not taken away', async () => {
    await search(page).fill(me.email)
    await openAction(await expectRow(page, { Email: me.email }), /^Eliminar/)
    for (const name of [/^Restablecer contraseña de/, /^Cerrar sesiones de/, /^Eliminar/])
      await expect(page.getByRole('menuitem', { name })).toBeDisabled()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^Editar/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Editar Usuario' })
    await expect(choiceOf(dialog, 'Rol')).toBeDisabled()
    await expect(choiceOf(dialog, 'Estado')).toBeDisabled()
  })
})

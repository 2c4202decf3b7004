import type { Page } from '@playwright/test'
import { affiliates } from '#contract/affiliates.ts'
import { COMMON_PASSWORD } from '#contract/auth.ts'
import { rfcWarningTexts } from '#contract/companies.ts'
import { issuers } from '#contract/issuers.ts'
import { EMAIL_TAKEN, users } from '#contract/users.ts'
import { makeIssuer, makePair, makeUser, unique } from '#db/factories.ts'
import { expect, PASSWORD, test } from './fixtures.ts'
import {
  answerNext,
  callsOf,
  choiceOf,
  chooseAction,
  expectHeads,
  expectRow,
  expectToast,
  failNext,
  optionsOf,
} from './screen.ts'

/** Letters alone, as the names of people are. */
const letters = (number: number) => [...String(number)].map((digit) => 'abcdefghij'[Number(digit)]).join('')

function newCompany() {
  const number = unique()
  return {
    name: `Ñandú Crédito ${number}`,
    // Neither 30 February nor this check digit exists.
    rfc: `ÑAN010230${number.toString(36).toUpperCase().padStart(3, '0')}`,
    email: `hola${number}@empresa.mx`,
    person: { first: 'Íñigo', last: `Ávila ${letters(number)}`, email: `inigo${number}@empresa.mx` },
  }
}

async function fillIn(page: Page, title: string, company: ReturnType<typeof newCompany>) {
  const dialog = page.getByRole('dialog', { name: title })
  await dialog.getByLabel('Empresa').fill(company.name)
  await dialog.getByLabel('RFC').fill(company.rfc.toLowerCase())
  await dialog.getByLabel('Dirección').fill('Av. Juárez 10, Puebla')
  await dialog.getByLabel('Nombre de contacto').fill('José Ñúñez')
  await dialog.getByLabel('Teléfono de contacto').fill('5512345678')
  await dialog.getByLabel('Email de contacto').fill(company.email)
  await dialog.getByLabel('Nombre', { exact: true }).fill(company.person.first)
  await dialog.getByLabel('Apellidos').fill(company.person.last)
  await dialog.getByLabel('Email', { exact: true }).fill(company.person.email)
  await dialog.getByLabel('Contraseña', { exact: true }).fill(PASSWORD)
  return dialog
}

const searchField = (page: Page) => page.getByPlaceholder('Buscar por nombre, email o RFC...')
const NO_MATCH = 'No se encontraron resultados para la búsqueda'

test('an administrator finds an issuer, changes it, gives it keys and a user, deletes one and makes one', async ({
  page,
  db,
  makePerson,
  signIn,
}) => {
  const number = unique()
  const issuer = await makeIssuer(db, {
    company_name: `Órbita México ${number}`,
    address: 'Calle Xochipilli 3',
    created_at: '2024-03-05T18:00:00Z',
  })
  const person = await makePerson('issuer', issuer)
  const { issuer: leaving } = await makePair(db)
  const taken = await makeUser(db, { role: 'admin' })
  const api = await signIn('admin')
  await page.goto('/app/admin/issuers')

  await test.step('the list is searched by name, RFC and e-mail', async () => {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Emisores')
    expect(await expectHeads(page)).toEqual(['Empresa', 'RFC', 'Email', 'Fecha de Creación', 'Acciones'])
    await searchField(page).fill('xochipilli')
    await expect(page.getByText(NO_MATCH)).toBeVisible()
    for (const text of [issuer.rfc.toLowerCase(), issuer.contact_email, `MEXICO orbita ${number}`]) {
      await searchField(page).fill(text)
      await expect(page.getByRole('row')).toHaveCount(2)
      await expectRow(page, {
        Empresa: issuer.company_name,
        RFC: issuer.rfc,
        Email: issuer.contact_email,
        'Fecha de Creación': '5 de marzo de 2024',
      })
    }
  })

  await test.step('a change: an RFC in use is refused beside its field, a refusal without a word has a text', async () => {
    await page.getByRole('button', { name: `Editar ${issuer.company_name}`, exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Editar Emisor' })
    await expect(dialog.getByLabel('Dirección')).toHaveValue('Calle Xochipilli 3')
    await expect(dialog.getByLabel('Contraseña')).toHaveCount(0)
    expect(await optionsOf(dialog, 'Estado')).toEqual(['Activo', 'Inactivo'])
    const save = dialog.getByRole('button', { name: 'Actualizar' })
    await dialog.getByLabel('RFC').fill(leaving.rfc)
    await save.click()
    await expect(dialog.getByText('Ya existe un emisor con este RFC')).toBeVisible()
    await dialog.getByLabel('RFC').fill(issuer.rfc)
    await dialog.getByLabel('Empresa').fill(`Órbita Cambiada ${number}`)
    await answerNext(page, issuers.update, 200, { success: false, data: null, message: null, errors: null })
    await save.click()
    await expectToast(page, 'No se pudo actualizar el emisor')
    await expect(dialog).toBeVisible()
    const sent = page.waitForRequest((request) => request.method() === 'PUT')
    await save.click()
    expect((await sent).postDataJSON()).not.toHaveProperty('id')
    await expectToast(page, 'Emisor actualizado exitosamente')
    await expect(dialog).toBeHidden()
    await searchField(page).fill(issuer.rfc)
    await expectRow(page, { Empresa: `Órbita Cambiada ${number}` })
  })

  await test.step('its first user is shown and edited with the dialog of Usuarios', async () => {
    const row = await expectRow(page, { Empresa: `${person.name} · ${person.email}` })
    await chooseAction(row, `Editar usuario administrador de Órbita Cambiada ${number}`)
    const dialog = page.getByRole('dialog', { name: 'Editar Usuario' })
    await expect(dialog.getByLabel('Email')).toHaveValue(person.email)
    await dialog.getByLabel('Nombre', { exact: true }).fill('Zoé')
    await dialog.getByRole('button', { name: 'Actualizar' }).click()
    await expectToast(page, 'Usuario actualizado exitosamente')
    await expectRow(page, { Empresa: `Zoé Prueba · ${person.email}` })
  })

  await test.step('a key is changed without being seen, and who has access is told', async () => {
    const open = () => chooseAction(page.getByRole('table'), `Claves y accesos de Órbita Cambiada ${number}`)
    await failNext(page, issuers.access)
    await open()
    const dialog = page.getByRole('dialog', { name: 'Claves y accesos' })
    await expect(dialog.getByRole('alert')).toContainText('No se pudieron cargar las claves y los accesos')
    await dialog.getByRole('button', { name: 'Reintentar' }).click()
    await expect(dialog.getByRole('list', { name: 'Personas con cuenta' })).toContainText(person.email)
    const question = page.getByRole('alertdialog')
    await dialog.getByRole('button', { name: 'Crear API key' }).click()
    await question.getByRole('button', { name: 'Crear' }).click()
    await expectToast(page, 'API key actualizada exitosamente')
    await dialog.getByRole('button', { name: 'Cambiar API key' }).click()
    await question.getByRole('checkbox').check()
    await question.getByRole('button', { name: 'Cambiar y revocar' }).click()
    const trail = dialog.getByRole('list', { name: 'Movimientos de claves y cuentas' })
    await expect(trail).toContainText('cambió la API key y revocó la anterior de inmediato')
    await dialog.getByRole('button', { name: 'Cambiar API key' }).click()
    await question.getByRole('button', { name: 'Cambiar' }).click()
    await dialog.getByRole('button', { name: /^Revocar de inmediato/ }).click()
    await question.getByRole('button', { name: 'Revocar' }).click()
    await expect(dialog.getByRole('button', { name: /^Revocar de inmediato/ })).toHaveCount(0)
    await expect(dialog).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: /^Más acciones de/ })).toBeFocused()
  })

  await test.step('a company without a user is given one from the list', async () => {
    await searchField(page).fill(leaving.rfc)
    const row = await expectRow(page, { Empresa: 'Sin usuario administrador', RFC: leaving.rfc })
    await chooseAction(row, `Crear usuario administrador de ${leaving.company_name}`)
    const dialog = page.getByRole('dialog', { name: 'Nuevo Usuario' })
    await expect(choiceOf(dialog, 'Emisor')).toHaveValue(leaving.company_name)
    const email = `nueva${number}@empresa.mx`
    await dialog.getByLabel('Nombre', { exact: true }).fill('Íñigo')
    await dialog.getByLabel('Apellidos').fill('Ávila')
    await dialog.getByLabel('Email').fill(email)
    await dialog.getByLabel('Contraseña', { exact: true }).fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Crear', exact: true }).click()
    await expectToast(page, 'Usuario creado exitosamente')
    await expectRow(page, { Empresa: email, RFC: leaving.rfc })
  })

  await test.step('a deletion says what goes along and asks first', async () => {
    const row = await expectRow(page, { RFC: leaving.rfc })
    const question = page.getByRole('alertdialog', { name: 'Estás seguro?' })
    await chooseAction(row, `Eliminar ${leaving.company_name}`)
    await expect(question.getByText('1 usuario, 1 relación y 1 producto')).toBeVisible()
    await question.getByRole('button', { name: 'Cancelar' }).click()
    await expect(row).toBeVisible()
    await chooseAction(row, `Eliminar ${leaving.company_name}`)
    await question.getByRole('button', { name: 'Eliminar' }).click()
    await expectToast(page, 'Emisor eliminado exitosamente')
    await expect(question).toBeHidden()
    await expect(page.getByText(NO_MATCH)).toBeVisible()
  })

  const company = newCompany()
  await test.step('a refused user is corrected in the form, which makes no second company, and is invited', async () => {
    await page.getByRole('button', { name: 'Nuevo Emisor' }).first().click()
    const dialog = await fillIn(page, 'Nuevo Emisor', { ...company, person: { ...company.person, email: taken.email } })
    await expect(choiceOf(dialog, 'Estado')).toHaveText('Activo')
    const [companies, people] = [callsOf(page, issuers.create), callsOf(page, users.create)]
    await dialog.getByRole('button', { name: 'Crear', exact: true }).click()
    const missing = 'Emisor creado exitosamente, pero falló la creación del usuario. Contacta al administrador.'
    await expectToast(page, missing)
    const email = dialog.getByLabel('Email', { exact: true })
    await expect(dialog.getByText(EMAIL_TAKEN)).toBeVisible()
    await expect(email).toBeFocused()
    await expect(dialog.getByText('La empresa ya está guardada; falta su usuario.')).toBeVisible()
    await expect(dialog.getByLabel('Empresa')).toHaveValue(company.name)
    await expect(dialog.getByLabel('Empresa')).toBeDisabled()
    await email.fill(company.person.email)
    await dialog.getByLabel('Contraseña', { exact: true }).fill('password123')
    const save = dialog.getByRole('button', { name: 'Crear usuario' })
    await save.click()
    await expect(dialog.getByText(COMMON_PASSWORD)).toBeVisible()
    // Invited in place of being given a password, a wrong one does not matter.
    await dialog.getByLabel('Enviar invitación').check()
    await expect(dialog.getByLabel('Contraseña', { exact: true })).toHaveCount(0)
    await save.click()
    await expectToast(page, 'Usuario creado exitosamente')
    const { first, last } = company.person
    const shown = page.getByRole('dialog', { name: `Enlace para ${first} ${last}` })
    await expect(shown.locator('code')).toHaveText(/\/acceso#[\w-]{43}$/)
    await shown.getByRole('button', { name: 'Listo' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    expect([companies.length, people.length]).toEqual([1, 3])
    expect((await api.call(issuers.list)).filter(({ rfc }) => rfc === company.rfc)).toHaveLength(1)
    await searchField(page).fill(company.rfc)
    await expectRow(page, { Empresa: company.person.email, RFC: company.rfc })
  })
})

test('an administrator makes affiliates with their users, changes and deletes them', async ({ page, db, signIn }) => {
  const { affiliate: leaving } = await makePair(db)
  const taken = await makeUser(db, { role: 'admin' })
  const api = await signIn('admin')
  await page.goto(`/app/admin/affiliates?q=${leaving.rfc}`)

  await test.step('a deletion says what goes along', async () => {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Afiliados')
    const row = await expectRow(page, { Empresa: leaving.company_name, RFC: leaving.rfc })
    await chooseAction(row, `Eliminar ${leaving.company_name}`)
    const question = page.getByRole('alertdialog', { name: 'Estás seguro?' })
    await expect(question.getByText('1 relación', { exact: true })).toBeVisible()
    await question.getByRole('button', { name: 'Eliminar' }).click()
    await expectToast(page, 'Afiliado eliminado exitosamente')
    await expect(page.getByText(NO_MATCH)).toBeVisible()
  })

  const company = newCompany()
  await test.step('the form says what is wrong, keeps the caret in the RFC, and sends nothing', async () => {
    const calls = callsOf(page, affiliates.create)
    await page.getByRole('button', { name: 'Nuevo Afiliado' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Nuevo Afiliado' })
    await dialog.getByRole('button', { name: 'Crear', exact: true }).click()
    await expect(dialog.getByLabel('Empresa')).toBeFocused()
    await expect(dialog.getByText('Dirección es requerida')).toBeVisible()
    await expect(dialog.getByText('Debe tener al menos 2 caracteres')).toHaveCount(4)
    await expect(choiceOf(dialog, 'Estado')).toHaveCount(0)
    const rfc = dialog.getByLabel('RFC')
    await rfc.fill('ABC010101AB')
    await expect(dialog.getByText('RFC debe tener entre 12 y 13 caracteres')).toBeVisible()
    await rfc.fill('ABCD010101AB12')
    await expect(rfc).toHaveValue('ABCD010101AB1')
    for (const key of ['Home', 'ArrowRight', 'Delete', 'Delete', 'x', 'y']) await page.keyboard.press(key)
    await expect(rfc).toHaveValue('AXYD010101AB1')
    await rfc.fill('')
    await page.keyboard.insertText('RFC: VECJ-880326-XX7')
    await expect(rfc).toHaveValue('VECJ880326XX7')
    const phone = dialog.getByLabel('Teléfono de contacto')
    await phone.focus()
    await page.keyboard.press('End')
    await page.keyboard.insertText('Tel. \u202a+52 1 55 1234 5678\u202c')
    await expect(phone).toHaveValue('+52 551 234 5678')
    expect(calls).toEqual([])
  })

  await test.step('a company is created with its user by two calls, and its odd RFC is pointed out', async () => {
    const dialog = await fillIn(page, 'Nuevo Afiliado', company)
    await expect(dialog.getByLabel('RFC')).toHaveValue(company.rfc)
    await expect(dialog.getByLabel('Teléfono de contacto')).toHaveValue('+52 551 234 5678')
    const bodies: unknown[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') bodies.push([new URL(request.url()).pathname, request.postDataJSON()])
    })
    await dialog.getByRole('button', { name: 'Crear', exact: true }).dblclick()
    await expectToast(page, 'Afiliado creado exitosamente')
    await expectToast(page, new RegExp(rfcWarningTexts.RFC_DATE))
    await expect(dialog).toBeHidden()
    await searchField(page).fill(company.rfc)
    await expectRow(page, { Empresa: company.person.email, RFC: company.rfc })
    const saved = (await api.call(affiliates.list)).find(({ rfc }) => rfc === company.rfc)
    const association = { role: 'affiliate', affiliate_id: saved?.id ?? 0, issuer_id: null }
    expect(bodies).toEqual([
      [affiliates.create.path, expect.objectContaining({ rfc: company.rfc, contact_phone: '+525512345678', url: '' })],
      [users.create.path, expect.objectContaining({ email: company.person.email, ...association })],
    ])
  })

  await test.step('it is changed', async () => {
    await page.getByRole('button', { name: `Editar ${company.name}`, exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Editar Afiliado' })
    await expect(choiceOf(dialog, 'Estado')).toHaveText('Activo')
    await dialog.getByLabel('Empresa').fill('Nombre Cambiado')
    const save = dialog.getByRole('button', { name: 'Actualizar' })
    await answerNext(page, affiliates.update, 200, { success: false, data: null, message: null, errors: null })
    await save.click()
    await expectToast(page, 'No se pudo actualizar el afiliado')
    await save.click()
    await expectToast(page, 'Afiliado actualizado exitosamente')
    await expectRow(page, { Empresa: 'Nombre Cambiado' })
  })

  await test.step('its key is changed without being seen', async () => {
    await chooseAction(page.getByRole('table'), 'Claves y accesos de Nombre Cambiado')
    const dialog = page.getByRole('dialog', { name: 'Claves y accesos' })
    await dialog.getByRole('button', { name: 'Cambiar API key' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cambiar' }).click()
    await expectToast(page, 'API key actualizada exitosamente')
    await dialog.getByRole('button', { name: /^Revocar de inmediato/ }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revocar' }).click()
    await expect(dialog).toBeFocused()
    await expect(dialog.getByRole('button', { name: /^Revocar de inmediato/ })).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  })

  await test.step('a company whose user was refused stays, also when the form is left', async () => {
    const other = newCompany()
    await page.getByRole('button', { name: 'Nuevo Afiliado' }).first().click()
    const dialog = await fillIn(page, 'Nuevo Afiliado', { ...other, person: { ...other.person, email: taken.email } })
    await dialog.getByRole('button', { name: 'Crear', exact: true }).click()
    await expect(dialog.getByText(EMAIL_TAKEN)).toBeVisible()
    await dialog.getByRole('button', { name: 'Cancelar' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Descartar' }).click()
    await expect(dialog).toBeHidden()
    await searchField(page).fill(other.rfc)
    await expectRow(page, { Empresa: 'Sin usuario administrador', RFC: other.rfc })
  })
})

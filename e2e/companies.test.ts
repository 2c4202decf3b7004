import type { Page } from '@playwright/test'
import { affiliates } from '#contract/affiliates.ts'
import { COMMON_PASSWORD } from '#contract/auth.ts'
import { rfcWarningTexts } from '#contract/companies.ts'
import { issuers } from '#contract/issuers.ts'
import { EMAIL_TAKEN, users } from '#contract/users.ts'
import type { Db } from '#db/connect.ts'
import { makeAffiliate, makeIssuer, makePair, makeUser, unique } from '#db/factories.ts'
import { expect, PASSWORD, test } from './fixtures.ts'
import {
  answerNext,
  callsOf,
  choiceOf,
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

const kinds = [
  {
    role: 'affiliate',
    path: '/app/admin/affiliates',
    title: 'Afiliados',
    create: 'Nuevo Afiliado',
    edit: 'Editar Afiliado',
    noun: 'Afiliado',
    loading: 'Cargando afiliados...',
    empty: 'No se encontraron afiliados',
    api: affiliates,
    make: (db: Db, columns = {}) => makeAffiliate(db, columns),
    userOf: (id: number) => ({ role: 'affiliate', affiliate_id: id, issuer_id: null }),
  },
  {
    role: 'issuer',
    path: '/app/admin/issuers',
    title: 'Emisores',
    create: 'Nuevo Emisor',
    edit: 'Editar Emisor',
    noun: 'Emisor',
    loading: 'Cargando emisores...',
    empty: 'No se encontraron emisores',
    api: issuers,
    make: (db: Db, columns = {}) => makeIssuer(db, columns),
    userOf: (id: number) => ({ role: 'issuer', affiliate_id: null, issuer_id: id }),
  },
] as const

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
  await dialog.getByLabel('RFC').pressSequentially(company.rfc.toLowerCase())
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

for (const kind of kinds) {
  test.describe(kind.title, () => {
    test('the list is searched by name, RFC and e-mail', async ({ page, db, signIn }) => {
      const number = unique()
      const company = await kind.make(db, {
        company_name: `Órbita México ${number}`,
        address: 'Calle Xochipilli 3',
        created_at: '2024-03-05T18:00:00Z',
      })
      await kind.make(db)
      const api = await signIn('admin')
      await page.goto(kind.path)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(kind.title)
      expect(await expectHeads(page)).toEqual(['Empresa', 'RFC', 'Email', 'Fecha de Creación', 'Acciones'])
      expect((await api.call(kind.api.list)).length).toBeGreaterThan(1)
      for (const text of [company.rfc.toLowerCase(), company.contact_email, `MEXICO orbita ${number}`]) {
        await searchField(page).fill(text)
        await expect(page.getByRole('row')).toHaveCount(2)
        await expectRow(page, {
          Empresa: company.company_name,
          RFC: company.rfc,
          Email: company.contact_email,
          'Fecha de Creación': '5 de marzo de 2024',
        })
      }
      await searchField(page).fill('xochipilli')
      await expect(page.getByText('No se encontraron resultados para la búsqueda')).toBeVisible()
    })

    test('a company is created with its user by two calls, and its odd RFC is pointed out', async ({
      page,
      signIn,
    }) => {
      const api = await signIn('admin')
      await page.goto(kind.path)
      await page.getByRole('button', { name: kind.create }).first().click()
      const company = newCompany()
      const dialog = await fillIn(page, kind.create, company)
      await expect(dialog.getByLabel('RFC')).toHaveValue(company.rfc)
      await expect(dialog.getByLabel('Teléfono de contacto')).toHaveValue('+52 551 234 5678')
      const bodies: unknown[] = []
      page.on('request', (request) => {
        if (request.method() === 'POST') bodies.push([new URL(request.url()).pathname, request.postDataJSON()])
      })
      await dialog.getByRole('button', { name: 'Crear', exact: true }).dblclick()
      await expectToast(page, `${kind.noun} creado exitosamente`)
      await expectToast(page, new RegExp(rfcWarningTexts.RFC_DATE))
      await expect(dialog).toBeHidden()
      await searchField(page).fill(company.rfc)
      await expectRow(page, { Empresa: company.person.email, RFC: company.rfc })
      const saved = (await api.call(kind.api.list)).find(({ rfc }) => rfc === company.rfc)
      expect(bodies).toEqual([
        [kind.api.create.path, expect.objectContaining({ rfc: company.rfc, contact_phone: '+525512345678', url: '' })],
        [users.create.path, expect.objectContaining({ email: company.person.email, ...kind.userOf(saved?.id ?? 0) })],
      ])
    })

    test('the form says what is wrong and sends nothing', async ({ page, signIn }) => {
      await signIn('admin')
      await page.goto(kind.path)
      const calls = callsOf(page, kind.api.create)
      await page.getByRole('button', { name: kind.create }).first().click()
      const dialog = page.getByRole('dialog', { name: kind.create })
      const save = dialog.getByRole('button', { name: 'Crear', exact: true })
      await save.click()
      await expect(dialog.getByLabel('Empresa')).toBeFocused()
      await expect(dialog.getByText('La contraseña debe tener al menos 8 caracteres')).toBeVisible()
      await expect(dialog.getByText('El correo electrónico es requerido')).toHaveCount(2)
      await expect(dialog.getByText('Dirección es requerida')).toHaveCount(kind.role === 'affiliate' ? 1 : 0)
      await expect(dialog.getByText('Debe tener al menos 2 caracteres')).toHaveCount(4)
      for (const [field, value, text] of [
        ['RFC', 'ABC010101AB', 'RFC debe tener entre 12 y 13 caracteres'],
        ['RFC', '1BC010101AB1', 'RFC debe tener 12 o 13 caracteres en formato válido'],
        ['Email de contacto', 'ana@', /^Formato de email inválido.*@/],
        ['Teléfono de contacto', '+52abc1234567', 'Solo se permiten números después de +52'],
        ['Teléfono de contacto', '+5255123456789', 'Teléfono debe tener el formato +525512345678'],
        ['Teléfono de contacto', '+52551234567', 'Teléfono debe tener el formato +525512345678'],
        ['Sitio web', 'http://localhost', /URL válida/],
        ['Nombre de contacto', 'Ana-Lu', 'Solo se permiten letras, espacios y acentos'],
        ['Empresa', 'x'.repeat(101), 'No puede exceder 100 caracteres'],
      ] as const) {
        await dialog.getByLabel(field).fill(value)
        await expect(dialog.getByText(text)).toBeVisible()
      }
      await dialog.getByLabel('RFC').fill('ABCD010101AB12')
      await expect(dialog.getByLabel('RFC')).toHaveValue('ABCD010101AB1')
      for (const key of ['Home', 'ArrowRight', 'Delete', 'Delete', 'x', 'y']) await page.keyboard.press(key)
      await expect(dialog.getByLabel('RFC')).toHaveValue('AXYD010101AB1')
      await save.click()
      expect(calls).toEqual([])
    })

    test('a company is edited; a refusal without a word has a text', async ({ page, db, signIn }) => {
      const company = await kind.make(db)
      await signIn('admin')
      await page.goto(`${kind.path}?q=${company.rfc}`)
      await page.getByRole('button', { name: `Editar ${company.company_name}`, exact: true }).click()
      const dialog = page.getByRole('dialog', { name: kind.edit })
      await expect(dialog.getByLabel('RFC')).toHaveValue(company.rfc)
      await expect(dialog.getByLabel('Dirección')).toHaveValue(company.address)
      await expect(dialog.getByLabel('Contraseña')).toHaveCount(0)
      expect(await optionsOf(dialog, 'Estado')).toEqual(['Activo', 'Inactivo'])
      await dialog.getByLabel('Empresa').fill('Nombre Cambiado')
      const save = dialog.getByRole('button', { name: 'Actualizar' })
      await answerNext(page, kind.api.update, 200, { success: false, data: null, message: null, errors: null })
      await save.click()
      await expectToast(page, `No se pudo actualizar el ${kind.noun.toLowerCase()}`)
      await expect(dialog).toBeVisible()
      const sent = page.waitForRequest((request) => request.method() === 'PUT')
      await save.click()
      expect((await sent).postDataJSON()).not.toHaveProperty('id')
      await expectToast(page, `${kind.noun} actualizado exitosamente`)
      await expect(dialog).toBeHidden()
      await expectRow(page, { Empresa: 'Nombre Cambiado' })
    })

    test('a deletion says what goes along and asks first', async ({ page, db, signIn }) => {
      const pair = await makePair(db)
      const company = pair[kind.role]
      await signIn('admin')
      await page.goto(`${kind.path}?q=${company.rfc}`)
      const row = await expectRow(page, { RFC: company.rfc })
      const question = page.getByRole('alertdialog', { name: 'Estás seguro?' })
      await chooseAction(row, `Eliminar ${company.company_name}`)
      await expect(question.getByText(kind.role === 'issuer' ? '1 relación y 1 producto' : '1 relación')).toBeVisible()
      await question.getByRole('button', { name: 'Cancelar' }).click()
      await expect(row).toBeVisible()
      await chooseAction(row, `Eliminar ${company.company_name}`)
      await question.getByRole('button', { name: 'Eliminar' }).click()
      await expectToast(page, `${kind.noun} eliminado exitosamente`)
      await expect(question).toBeHidden()
      await expect(page.getByText('No se encontraron resultados para la búsqueda')).toBeVisible()
    })

    test('loading, nothing and failure each say so', async ({ page, db, signIn }) => {
      const company = await kind.make(db)
      await signIn('admin')
      await answerNext(page, kind.api.list, 200, success([]))
      const answered = await hold(page, kind.api.list)
      await page.goto(kind.path)
      await expect(page.getByText(kind.loading)).toBeVisible()
      answered()
      await expect(page.getByText(kind.empty)).toBeVisible()
      await failNext(page, kind.api.list)
      await page.reload()
      await expectToast(page, 'Ocurrió un error inesperado')
      await page.getByRole('button', { name: 'Reintentar' }).click()
      await searchField(page).fill(company.rfc)
      await expectRow(page, { RFC: company.rfc })
    })

    test('the administrator changes a key without seeing it, and sees who has access', async ({
      page,
      db,
      makePerson,
      signIn,
    }) => {
      const company = await kind.make(db)
      const { email } = await makePerson(kind.role, company)
      await signIn('admin')
      await page.goto(`${kind.path}?q=${company.rfc}`)
      const open = () => chooseAction(page.getByRole('table'), `Claves y accesos de ${company.company_name}`)
      await failNext(page, kind.api.access)
      await open()
      const dialog = page.getByRole('dialog', { name: 'Claves y accesos' })
      await expect(dialog.getByRole('alert')).toContainText('No se pudieron cargar las claves y los accesos')
      await dialog.getByRole('button', { name: 'Reintentar' }).click()
      await expect(dialog.getByRole('list', { name: 'Personas con cuenta' })).toContainText(email)
      await dialog.getByRole('button', { name: 'Crear API key' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Crear' }).click()
      await expectToast(page, 'API key actualizada exitosamente')
      await dialog.getByRole('button', { name: 'Cambiar API key' }).click()
      await page.getByRole('alertdialog').getByRole('checkbox').check()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Cambiar y revocar' }).click()
      const trail = dialog.getByRole('list', { name: 'Movimientos de claves y cuentas' })
      await expect(trail).toContainText('cambió la API key y revocó la anterior de inmediato')
      await dialog.getByRole('button', { name: 'Cambiar API key' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Cambiar' }).click()
      await dialog.getByRole('button', { name: /^Revocar de inmediato/ }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Revocar' }).click()
      await expect(dialog.getByRole('button', { name: /^Revocar de inmediato/ })).toHaveCount(0)
      await expect(dialog).toBeFocused()
      await page.keyboard.press('Escape')
      await expect(page.getByRole('button', { name: /^Más acciones de/ })).toBeFocused()
      await open()
      await expect(trail).toBeVisible()
      await expectNoViolations(page)
    })
  })
}

/** Both screens are one page: what differs in no word and in no call is told once. */
test.describe('Emisores, and Afiliados alike', () => {
  const kind = kinds[1]

  test('the first person of a company is invited in place of being given a password', async ({ page, signIn }) => {
    await signIn('admin')
    await page.goto(kind.path)
    await page.getByRole('button', { name: kind.create }).first().click()
    const company = newCompany()
    const dialog = await fillIn(page, kind.create, company)
    await dialog.getByLabel('Contraseña', { exact: true }).fill('corta')
    await dialog.getByLabel('Enviar invitación').check()
    await expect(dialog.getByLabel('Contraseña', { exact: true })).toHaveCount(0)
    await expectNoViolations(page)
    await dialog.getByRole('button', { name: 'Crear', exact: true }).click()
    await expectToast(page, `${kind.noun} creado exitosamente`)
    const shown = page.getByRole('dialog', { name: `Enlace para ${company.person.first} ${company.person.last}` })
    await expect(shown.locator('code')).toHaveText(/\/acceso#[\w-]{43}$/)
    await shown.getByRole('button', { name: 'Listo' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  test('a company whose user was refused stays, and gets its user afterwards', async ({ page, db, signIn }) => {
    const taken = await makeUser(db, { role: 'admin' })
    await signIn('admin')
    await page.goto(kind.path)
    await page.getByRole('button', { name: kind.create }).first().click()
    const company = newCompany()
    const dialog = await fillIn(page, kind.create, { ...company, person: { ...company.person, email: taken.email } })
    await dialog.getByRole('button', { name: 'Crear', exact: true }).click()
    await expectToast(
      page,
      `${kind.noun} creado exitosamente, pero falló la creación del usuario. Contacta al administrador.`,
    )
    await dialog.getByRole('button', { name: 'Cancelar' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Descartar' }).click()
    await expect(dialog).toBeHidden()
    await searchField(page).fill(company.rfc)
    const row = await expectRow(page, { Empresa: 'Sin usuario administrador', RFC: company.rfc })
    await chooseAction(row, `Crear usuario administrador de ${company.name}`)
    const user = page.getByRole('dialog', { name: 'Nuevo Usuario' })
    await expect(choiceOf(user, kind.noun)).toHaveValue(company.name)
    await user.getByLabel('Nombre', { exact: true }).fill('Íñigo')
    await user.getByLabel('Apellidos').fill('Ávila')
    await user.getByLabel('Email').fill(company.person.email)
    await user.getByLabel('Contraseña', { exact: true }).fill(PASSWORD)
    await user.getByRole('button', { name: 'Crear', exact: true }).click()
    await expectToast(page, 'Usuario creado exitosamente')
    await expectRow(page, { Empresa: company.person.email, RFC: company.rfc })
  })

  test('a refused user is corrected in the form, which makes no second company', async ({ page, db, signIn }) => {
    const taken = await makeUser(db, { role: 'admin' })
    const api = await signIn('admin')
    await page.goto(kind.path)
    await page.getByRole('button', { name: kind.create }).first().click()
    const company = newCompany()
    const dialog = await fillIn(page, kind.create, { ...company, person: { ...company.person, email: taken.email } })
    const [companies, people] = [callsOf(page, kind.api.create), callsOf(page, users.create)]
    await dialog.getByRole('button', { name: 'Crear', exact: true }).click()
    const email = dialog.getByLabel('Email', { exact: true })
    await expect(dialog.getByText(EMAIL_TAKEN)).toBeVisible()
    await expect(email).toBeFocused()
    await expect(dialog.getByText('La empresa ya está guardada; falta su usuario.')).toBeVisible()
    await expect(dialog.getByLabel('Empresa')).toHaveValue(company.name)
    await expect(dialog.getByLabel('Empresa')).toBeDisabled()
    await expectNoViolations(page)
    await email.fill(company.person.email)
    await dialog.getByLabel('Contraseña', { exact: true }).fill('password123')
    const save = dialog.getByRole('button', { name: 'Crear usuario' })
    await save.click()
    await expect(dialog.getByText(COMMON_PASSWORD)).toBeVisible()
    await dialog.getByLabel('Contraseña', { exact: true }).fill(PASSWORD)
    await save.click()
    await expectToast(page, 'Usuario creado exitosamente')
    await expect(dialog).toBeHidden()
    expect([companies.length, people.length]).toEqual([1, 3])
    expect((await api.call(kind.api.list)).filter(({ rfc }) => rfc === company.rfc)).toHaveLength(1)
    await searchField(page).fill(company.rfc)
    await expectRow(page, { Empresa: company.person.email, RFC: company.rfc })
  })

  test('an RFC in use is refused beside its field', async ({ page, db, signIn }) => {
    const [company, other] = [await kind.make(db), await kind.make(db)]
    await signIn('admin')
    await page.goto(`${kind.path}?q=${company.rfc}`)
    await page.getByRole('button', { name: `Editar ${company.company_name}`, exact: true }).click()
    const dialog = page.getByRole('dialog', { name: kind.edit })
    await dialog.getByLabel('RFC').fill(other.rfc)
    await dialog.getByRole('button', { name: 'Actualizar' }).click()
    await expect(dialog.getByText(`Ya existe un ${kind.noun.toLowerCase()} con este RFC`)).toBeVisible()
  })

  test('the admin user is shown and edited with the dialog of Usuarios', async ({ page, db, makePerson, signIn }) => {
    const company = await kind.make(db)
    const person = await makePerson(kind.role, company)
    await signIn('admin')
    await page.goto(`${kind.path}?q=${company.rfc}`)
    const row = await expectRow(page, { Empresa: `${person.name} · ${person.email}` })
    await chooseAction(row, `Editar usuario administrador de ${company.company_name}`)
    const dialog = page.getByRole('dialog', { name: 'Editar Usuario' })
    await expect(dialog.getByLabel('Email')).toHaveValue(person.email)
    await dialog.getByLabel('Nombre', { exact: true }).fill('Zoé')
    await dialog.getByRole('button', { name: 'Actualizar' }).click()
    await expectToast(page, 'Usuario actualizado exitosamente')
    await expectRow(page, { Empresa: `Zoé Prueba · ${person.email}` })
    await expectNoViolations(page)
  })
})

test('a new issuer is active unless somebody says otherwise', async ({ page, signIn }) => {
  await signIn('admin')
  await page.goto('/app/admin/issuers')
  await page.getByRole('button', { name: 'Nuevo Emisor' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Nuevo Emisor' })
  await expect(choiceOf(dialog, 'Estado')).toHaveText('Activo')
  expect(await optionsOf(dialog, 'Estado')).toEqual(['Activo', 'Inactivo'])
})

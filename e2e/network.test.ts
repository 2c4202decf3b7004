import { affiliates } from '#contract/affiliates.ts'
import { makeAffiliate, makeIssuer, makeRelationship, makeUser } from '#db/factories.ts'
import { factOf } from './facts.ts'
import { expect, test } from './fixtures.ts'
import { expectHeads, expectRow, failNext } from './screen.ts'

test('an issuer knows its network', async ({ page, signIn, db, issuer }) => {
  const busy = await makeAffiliate(db, { contact_name: 'Íñigo Ávila' })
  const quiet = await makeAffiliate(db, { url: '' })
  for (const email of [`uno${busy.id}@red.mx`, `dos${busy.id}@red.mx`])
    await makeUser(db, { role: 'affiliate', affiliateId: busy.id }, { email })
  const { id } = await makeRelationship(db, {
    ...{ affiliate_id: busy.id, issuer_id: issuer.id },
    created_at: '2025-03-04T18:00:00Z',
  })
  await makeRelationship(db, { affiliate_id: quiet.id, issuer_id: issuer.id })
  await signIn('issuer', issuer)
  await failNext(page, affiliates.list)
  await page.goto('/app/issuer/affiliates')

  await test.step('a network that fails to load reloads the page', async () => {
    await expect(page.getByRole('alert').filter({ hasText: 'Error al cargar afiliados' })).toBeVisible()
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Reintentar' }).click()])
  })

  await test.step('the list and its sums', async () => {
    await expect(page.getByRole('heading', { level: 1, name: 'Red de Afiliados Asociados' })).toBeVisible()
    expect(await expectHeads(page)).toEqual(['Empresa', 'Contacto', 'Usuarios', 'ID de Relación', 'Acciones'])
    await expectRow(page, { Empresa: busy.company_name, Usuarios: /^2$/, 'ID de Relación': String(id) })
    const counters = page.getByRole('region', { name: 'Tu red' })
    await expect(factOf(counters, 'Total de afiliados')).toHaveText('2')
    await expect(factOf(counters, 'Total de usuarios')).toHaveText('2')
  })

  await test.step('an affiliate is found by its contact, and opened', async () => {
    await page.getByRole('searchbox').fill('avila')
    await expect(page.getByRole('button', { name: /^Ver detalles/ })).toHaveCount(1)
    await page.getByRole('button', { name: `Ver detalles de ${busy.company_name}` }).click()
    const dialog = page.getByRole('dialog', { name: busy.company_name })
    await expect(factOf(dialog, 'RFC')).toHaveText(busy.rfc)
    await expect(factOf(dialog, 'Nombre de contacto')).toHaveText('Íñigo Ávila')
    await expect(factOf(dialog, 'Email de contacto')).toHaveText(busy.contact_email)
    await expect(factOf(dialog, 'Teléfono')).toHaveText('+52 551 234 5678')
    await expect(factOf(dialog, 'Relación desde')).toHaveText('4 de marzo de 2025')
    await expect(factOf(dialog, 'Dirección')).toHaveText(busy.address)
    await expect(factOf(dialog, 'URL')).toHaveText(busy.url)
    await page.keyboard.press('Escape')
  })

  await test.step('its card on a phone', async () => {
    const desk = page.viewportSize()
    await page.setViewportSize({ width: 390, height: 844 })
    const card = page.getByRole('main').getByRole('listitem').filter({ hasText: busy.company_name })
    await expect(card).toContainText(`Íñigo Ávila · Relación ${id}`)
    if (desk) await page.setViewportSize(desk)
  })

  await test.step('what an affiliate does not have is left out', async () => {
    await page.getByRole('searchbox').fill(quiet.company_name)
    await page.getByRole('button', { name: `Ver detalles de ${quiet.company_name}` }).click()
    const other = page.getByRole('dialog', { name: quiet.company_name })
    await expect(factOf(other, 'RFC')).toBeVisible()
    await expect(factOf(other, 'URL')).toHaveCount(0)
  })
})

test('an affiliate looks up its issuers', async ({ page, signIn, db, affiliate }) => {
  const [zinc, alamo] = [
    await makeIssuer(db, { company_name: `Zinc Crédito ${affiliate.id}`, url: '' }),
    await makeIssuer(db, { company_name: `Álamo Banco ${affiliate.id}`, created_at: '2025-03-04T18:00:00Z' }),
  ]
  for (const issuer of [zinc, alamo]) await makeRelationship(db, { affiliate_id: affiliate.id, issuer_id: issuer.id })
  await signIn('affiliate', affiliate)
  await page.goto('/app/affiliate/issuers')

  await test.step('the list is in the order of the names', async () => {
    expect(await expectHeads(page)).toEqual(['Empresa', 'Contacto', 'Email', 'Teléfono', 'Acciones'])
    await expect(page.getByRole('row')).toContainText(['Empresa', alamo.company_name, zinc.company_name])
    await expect(page.getByText('2 emisores')).toBeVisible()
    const row = await expectRow(page, { Empresa: alamo.company_name })
    const mail = row.getByRole('link', { name: alamo.contact_email })
    await expect(mail).toHaveAttribute('href', `mailto:${alamo.contact_email}`)
  })

  await test.step('an issuer is found by its name, and opened', async () => {
    await page.getByRole('searchbox').fill('alamo')
    await expect(page.getByText('1 emisor', { exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: `Ver ${zinc.company_name}` })).toHaveCount(0)
    await page.getByRole('button', { name: `Ver ${alamo.company_name}` }).click()
    const dialog = page.getByRole('dialog', { name: alamo.company_name })
    await expect(factOf(dialog, 'ID')).toHaveText(String(alamo.id))
    await expect(factOf(dialog, 'RFC')).toHaveText(alamo.rfc)
    await expect(factOf(dialog, 'Empresa')).toHaveText(alamo.company_name)
    await expect(factOf(dialog, 'Dirección')).toHaveText(alamo.address)
    await expect(factOf(dialog, 'URL')).toHaveText(alamo.url)
    await expect(factOf(dialog, 'Nombre de contacto')).toHaveText('Luz Contacto')
    await expect(factOf(dialog, 'Teléfono').getByRole('link')).toHaveAttribute('href', 'tel:+525512345678')
    await expect(factOf(dialog, 'Email de contacto')).toHaveText(alamo.contact_email)
    await expect(factOf(dialog, 'Fecha de Registro')).toHaveText('4 de marzo de 2025')
    await page.keyboard.press('Escape')
  })

  await test.step('what an issuer does not have is left out', async () => {
    await page.getByRole('searchbox').fill('zinc')
    await page.getByRole('button', { name: `Ver ${zinc.company_name}` }).click()
    const other = page.getByRole('dialog', { name: zinc.company_name })
    await expect(factOf(other, 'RFC')).toBeVisible()
    await expect(factOf(other, 'URL')).toHaveCount(0)
  })
})

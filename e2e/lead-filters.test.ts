import { expect, test } from './fixtures.ts'
import { choose } from './screen.ts'

test('each field of a text filter shows its whole hint', async ({ page, signIn }) => {
  await signIn('admin')
  await page.goto('/app/admin/leads')
  const fields = ['Source', 'Medium', 'Campaign', 'Term', 'Content'].map((name) => `UTM ${name}`)
  for (const name of [...fields, 'External ID', 'Tracking ID']) {
    await page.getByRole('button', { name: 'Filtrar por' }).click()
    await choose(page, 'Campo', name)
    await page.getByRole('button', { name: 'Agregar' }).click()
    const field = page.getByPlaceholder(`Ingresa ${name}`)
    // The text as typed is as wide as its hint.
    await field.fill(`Ingresa ${name}`)
    expect(await field.evaluate((input) => input.scrollWidth - input.clientWidth), name).toBe(0)
  }
})

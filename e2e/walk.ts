import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Locator, type Page, test } from '@playwright/test'
import { expectNoSideways, scanIn } from './screen.ts'
import { go } from './sessions.ts'

/** A screen that is looked at. */
export interface Stop {
  path: string
  title: string
  /** Words that are there when everything is. */
  has: string | RegExp
  /**
   * What opens over it: buttons by the beginning of their names, one after the other, as in 'Nuevo Producto > Crear'; '⋯' is
   * the menu of the first row. Where nothing opens, all of the content is looked at again.
   */
  opens?: readonly string[]
}

const DESK = { theme: 'light', width: 1440, height: 900 } as const
const PHONE = { theme: 'dark', width: 390, height: 844 } as const
/** At 1266 a table shows all its columns and has the least room for them; 768 is a tablet. */
const BETWEEN = [
  { width: 1266, height: 800 },
  { width: 768, height: 1024 },
]

type Look = typeof DESK | typeof PHONE

/** One look, by turns, or both. */
export function looksBy(thorough: boolean): () => readonly Look[] {
  let turn = 0
  return () => (thorough ? [DESK, PHONE] : [turn++ % 2 ? PHONE : DESK])
}

/** Every address of the application, so that a new one cannot be forgotten. */
export const addresses = [
  ...readFileSync(join(import.meta.dirname, '../web/paths.ts'), 'utf8').matchAll(/\w: '(\/[^']*)'/g),
].map(([, address = '']) => address)

const LAYERS = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]'

const layersOf = (page: Page): Locator => page.locator(LAYERS).filter({ visible: true })

async function press(page: Page, name: string): Promise<void> {
  const layers = layersOf(page)
  const scope = (await layers.count()) > 0 ? layers.last() : page
  const start = new RegExp(name === '⋯' ? '^Más acciones de' : `^${name.replaceAll(/[?¿+.()]/g, '\\$&')}`)
  const found = (['menuitem', 'button', 'combobox', 'checkbox', 'link', 'option', 'tab'] as const)
    .map((role) => scope.getByRole(role, { name: start }))
    .reduce((some, more) => some.or(more))
  await found.filter({ visible: true }).first().click()
}

/** What came last over the screen, or its content. */
async function openedBy(page: Page, way: string): Promise<Locator> {
  const steps = way.split(' > ')
  for (const [place, name] of steps.entries()) {
    const before = await layersOf(page).count()
    await press(page, name)
    // A dialog that comes later, a menu that gives way to one.
    if (place < steps.length - 1) await expect.poll(() => layersOf(page).count()).toBeGreaterThan(before && 0)
  }
  await expect(page.getByText(/^(Cargando|Abriendo)/)).toHaveCount(0)
  const layers = layersOf(page)
  return (await layers.count()) > 0 ? layers.last() : page.getByRole('main')
}

/** Nothing is saved on the way, so that closing asks at most whether to discard. */
async function closeAll(page: Page): Promise<void> {
  await expect(async () => {
    if ((await layersOf(page).count()) === 0) return
    const discard = page.getByRole('alertdialog').getByRole('button', { name: 'Descartar' })
    if (await discard.isVisible()) await discard.click()
    else await page.keyboard.press('Escape')
    expect(await layersOf(page).count()).toBe(0)
  }).toPass({ intervals: [0, 50, 100, 200] })
}

const lookAt = async (page: Page, look: Look, scope?: Locator) => {
  await page.setViewportSize(look)
  expect(await scanIn(page, look.theme, scope), `${look.theme}, ${look.width} pixels wide`).toEqual([])
}

/** Its content by every rule at one look or at both, and no sideways scroll at four widths, one after the other. */
export async function expectFine(page: Page, looks: readonly Look[]): Promise<void> {
  const [first, last] = looks[0] === PHONE ? [PHONE, DESK] : [DESK, PHONE]
  const widths = first === DESK ? BETWEEN : BETWEEN.toReversed()
  await lookAt(page, first)
  for (const width of [first, ...widths, last]) {
    await page.setViewportSize(width)
    await expectNoSideways(page)
  }
  if (looks.includes(last)) await lookAt(page, last)
}

async function expectOpened(page: Page, way: string, looks: readonly Look[]): Promise<void> {
  await page.setViewportSize(DESK)
  const scope = await openedBy(page, way)
  for (const look of looks) {
    await lookAt(page, look, scope)
    await expectNoSideways(page)
  }
  await page.setViewportSize(DESK)
  await closeAll(page)
}

/** What the browser refuses or complains about from now on. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(`${message.text()} ${page.url()}`))
  page.on('pageerror', (error) => complaints.push(`${error.message} ${page.url()}`))
  return complaints
}

/**
 * Looks at one screen after the other, going from each to the next as links do, and at what opens over them. Each screen and
 * each dialog has one look, a desk in light or a phone in dark by turns, since they share their parts; or, thoroughly, both.
 */
export async function walk(page: Page, stops: readonly Stop[], thorough = false): Promise<void> {
  const looks = looksBy(thorough)
  for (const { path, title, has, opens = [] } of stops)
    await test.step(path, async () => {
      await go(page, path)
      await expect(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible()
      await expect(page.getByText(has).filter({ visible: true }).first()).toBeVisible()
      await expect(page.getByText(/^Cargando/)).toHaveCount(0)
      await expectFine(page, looks())
      for (const way of opens) await test.step(way, () => expectOpened(page, way, looks()))
    })
}

/** The menu leads to each of its screens, which are those of this role. */
export async function expectMenu(
  page: Page,
  title: string,
  area: string,
  items: Record<string, string>,
): Promise<void> {
  const menu = page.getByRole('navigation', { name: title })
  await expect(page.getByRole('heading', { name: title })).toBeVisible()
  await expect(menu.getByRole('link')).toHaveText(Object.keys(items))
  // The one that is open already comes last.
  for (const [label, path] of Object.entries(items).toReversed()) {
    await menu.getByRole('link', { name: label, exact: true }).click()
    await expect(page).toHaveURL(`${area}/${path}`)
    await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible()
  }
}

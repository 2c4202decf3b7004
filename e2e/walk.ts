import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Locator, type Page, test } from '@playwright/test'
import { expectNoSideways, scanIn } from './screen.ts'
import { go } from './sessions.ts'

/** A screen that is looked at. */
export interface Stop {
  path: string
  title: string
  /** What has to be searched first. */
  searches?: string
  /** Words that are there when everything is. */
  has: string | RegExp
  /**
   * What opens over it: buttons, or an amount, by the beginning of their names, one after the other, as in 'Ver lead > Rechazar'.
   * '⋯' is the menu of the first row; what stands behind '+' unfolds, and what stands behind '!' is refused.
   */
  opens?: readonly string[]
  /** What is pressed at last and changes the content itself, which is looked at again. */
  shows?: readonly string[]
}

const DESK = { theme: 'light', width: 1440, height: 900 } as const
const PHONE = { theme: 'dark', width: 390, height: 844 } as const
/** At 1266 a table shows all its columns and has the least room for them; 768 is a tablet, and 320 a desk at 400 % (WCAG 1.4.10). */
const BETWEEN = [
  { width: 1266, height: 800 },
  { width: 768, height: 1024 },
  { width: 320, height: 640 },
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

type Role = Parameters<Page['getByRole']>[0]
const CONTROLS: readonly Role[] = ['menuitem', 'button', 'combobox', 'checkbox', 'link']
const CELLS: readonly Role[] = ['cell']

async function press(page: Page, name: string): Promise<void> {
  const layers = layersOf(page)
  const scope = (await layers.count()) > 0 ? layers.last() : page
  const start = new RegExp(name === '⋯' ? '^Más acciones de' : `^${name.replaceAll(/[?.$()]/g, '\\$&')}`)
  // A cell of actions is called like its buttons.
  const roles = name.startsWith('$') ? CELLS : CONTROLS
  const found = roles.map((role) => scope.getByRole(role, { name: start })).reduce((some, more) => some.or(more))
  await found.filter({ visible: true }).first().click()
}

/** What lies over the screen, by its headings. */
const headingsOf = (layers: Locator): Promise<string> =>
  layers.evaluateAll((all) =>
    all.map((layer) => layer.querySelector('h1, h2, h3')?.textContent ?? layer.role ?? 'otra').join(' > '),
  )

/** What came last over the screen. */
async function openedBy(page: Page, way: string): Promise<Locator> {
  const [layers, menu] = [layersOf(page), page.getByRole('menu')]
  const [opens = '', refused] = way.split(' ! ')
  const [names = '', unfolded] = opens.split(' + ')
  for (const name of names.split(' > ')) {
    const isItem = (await menu.count()) > 0
    const before = await headingsOf(layers)
    await press(page, name)
    // A menu gives way to the dialog that it opens, and one dialog may give way to another.
    if (isItem) await expect(menu).toHaveCount(0)
    await expect(page.getByText(/^(Cargando|Abriendo)/)).toHaveCount(0)
    await expect(layers.last()).toBeVisible()
    await expect.poll(() => headingsOf(layers), `what ${name} opens`).not.toBe(before)
  }
  if (unfolded) await press(page, unfolded)
  if (refused) {
    await press(page, refused)
    await expect(layers.last().locator('[aria-invalid=true]').first()).toBeVisible()
  }
  return layers.last()
}

/** Nothing is saved on the way, so that closing asks at most whether to discard. */
async function closeAll(page: Page): Promise<void> {
  await expect(async () => {
    if ((await layersOf(page).count()) === 0) return
    const discard = page
      .getByRole('alertdialog', { name: '¿Descartar los cambios?' })
      .getByRole('button', { name: 'Descartar' })
    if (await discard.isVisible()) await discard.click()
    else await page.keyboard.press('Escape')
    expect(await layersOf(page).count()).toBe(0)
  }).toPass({ intervals: [0, 50, 100, 200], timeout: 60_000 })
}

const lookAt = async (page: Page, look: Look, scope?: Locator) => {
  await page.setViewportSize(look)
  expect(await scanIn(page, look.theme, scope), `${look.theme}, ${look.width} pixels wide`).toEqual([])
}

/** Its content by every rule at one look or at both, and no sideways scroll at five widths, one after the other. */
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

export async function expectOpened(page: Page, way: string, looks: readonly Look[]): Promise<void> {
  await page.setViewportSize(DESK)
  const scope = await openedBy(page, way)
  const isList = (await scope.getAttribute('role')) === 'listbox'
  for (const look of looks) {
    // A list closes when the window changes its size.
    if (isList && look === PHONE && looks.length > 1) continue
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
 * what opens first over it have one look, a desk in light or a phone in dark by turns, since they share their parts; or,
 * thoroughly, both, and so has all else that opens.
 */
export async function walk(page: Page, stops: readonly Stop[], thorough = false): Promise<void> {
  const looks = looksBy(thorough)
  for (const { path, title, searches, has, opens = [], shows = [] } of stops)
    await test.step(path, async () => {
      await go(page, path)
      await expect(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible()
      if (searches) await page.getByRole('searchbox').fill(searches)
      if (searches) await page.keyboard.press('Enter')
      await expect(page.getByText(has).filter({ visible: true }).first()).toBeVisible()
      await expect(page.getByText(/^Cargando/)).toHaveCount(0)
      await expectFine(page, looks())
      for (const way of thorough ? opens : opens.slice(0, 1))
        await test.step(way, () => expectOpened(page, way, looks()))
      if (shows.length === 0) return
      await page.setViewportSize(DESK)
      for (const name of shows) await press(page, name)
      for (const look of looks()) await lookAt(page, look)
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

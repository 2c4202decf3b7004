import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Frame, type Locator, type Page } from '@playwright/test'
import type axe from 'axe-core'
import { type Endpoint, type Meta, pathOf } from '#contract/endpoint.ts'

declare global {
  interface Window {
    axe: typeof axe
  }
}

type Scope = Page | Locator
type Text = string | RegExp

const pageOf = (scope: Scope): Page => ('page' in scope ? scope.page() : scope)

/** The control with this label, whichever of the two kinds of choice it is. */
export const choiceOf = (scope: Scope, label: Text): Locator =>
  scope.getByRole('combobox', { name: label, exact: true })

/** Picks an option, by typing its text where the choice is found by typing. */
export async function choose(scope: Scope, label: Text, option: Text): Promise<void> {
  const control = choiceOf(scope, label)
  await control.click()
  const typed = await control.evaluate((element) => element.tagName === 'INPUT')
  if (typed && typeof option === 'string') await control.fill(option)
  await pageOf(scope).getByRole('option', { name: option, exact: true }).click()
}

/** Picks an option by typing its text, which its hint follows. */
export async function chooseHinted(scope: Scope, label: Text, option: string): Promise<void> {
  await choiceOf(scope, label).fill(option)
  await pageOf(scope).getByRole('option', { name: option }).click()
}

/** Goes to a screen by the menu and waits for it: the one before stays until the next has loaded. */
export async function goByMenu(page: Page, name: string): Promise<void> {
  const link = page.getByRole('navigation', { name: /^Panel/ }).getByRole('link', { name, exact: true })
  await link.click()
  await expect(link).toHaveAttribute('aria-current', 'page')
}

/** Goes back once what was typed is known to the page, as it is to a person, and waits until that was answered. */
export const goBack = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))
    const { promise, resolve } = Promise.withResolvers<void>()
    addEventListener('popstate', () => setTimeout(resolve), { once: true })
    history.back()
    await promise
  })

/** The texts that a choice offers; it is closed again afterwards. */
export async function optionsOf(scope: Scope, label: Text): Promise<string[]> {
  await choiceOf(scope, label).click()
  const options = pageOf(scope).getByRole('option')
  await expect(options.first()).toBeVisible()
  const texts = await options.allInnerTexts()
  // Before the list has the focus, Escape is for what lies below it.
  await pageOf(scope).waitForFunction(() => document.activeElement?.matches('input, [role=listbox], [role=listbox] *'))
  await pageOf(scope).keyboard.press('Escape')
  await expect(options).toHaveCount(0)
  return texts
}

/** One of the rarer things that can be done with a row, from its menu. */
export async function openAction(row: Scope, action: Text): Promise<Locator> {
  await row.getByRole('button', { name: /^Más acciones de/ }).click()
  return pageOf(row).getByRole('menuitem', { name: action })
}

export const chooseAction = async (row: Scope, action: Text): Promise<void> => (await openAction(row, action)).click()

/** The row whose cells under these heads hold these texts. */
export async function expectRow(scope: Scope, cells: Record<string, Text>): Promise<Locator> {
  let heads: string[] = []
  // A table that found nothing yet has no heads, or those of the one before.
  await expect
    .poll(async () => {
      heads = await expectHeads(scope)
      return Object.keys(cells).filter((head) => !heads.includes(head))
    }, 'heads that are missing')
    .toEqual([])
  const page = pageOf(scope)
  let rows = scope.getByRole('row')
  for (const [head, text] of Object.entries(cells)) {
    rows = rows.filter({ has: page.getByRole('cell').nth(heads.indexOf(head)).filter({ hasText: text }) })
  }
  await expect(rows, JSON.stringify(cells)).toHaveCount(1)
  return rows
}

/** The heads of the table, once it stands. */
export async function expectHeads(scope: Scope): Promise<string[]> {
  const heads = scope.getByRole('columnheader')
  await expect(heads.first()).toBeVisible()
  return (await heads.allInnerTexts()).map((text) => text.trim())
}

export const expectToast = (page: Page, text: Text): Promise<void> =>
  expect(
    page
      .getByRole('region', { name: /^Notifications/ })
      .getByText(text)
      .first(),
  ).toBeVisible()

/** As password managers that tell nobody do. */
export const fillSilently = (field: Locator, text: string): Promise<void> =>
  field.evaluate((input, value) => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value)
  }, text)

const AXE = readFileSync(join(import.meta.dirname, '../node_modules/axe-core/axe.min.js'), 'utf8')

/** A page that is asked again has it still, unless it was left meanwhile. */
async function bringAxe(frame: Frame): Promise<void> {
  if (await frame.evaluate(() => !window.axe)) await frame.evaluate(AXE)
}

/** Runs in the page: takes a theme, waits for what fades or slides (a spinner never ends), and asks axe. */
async function scan(element: Element, theme: 'light' | 'dark'): Promise<string[]> {
  document.documentElement.dataset.theme = theme
  const ending = document.getAnimations().filter((each) => Number.isFinite(each.effect?.getComputedTiming().endTime))
  await Promise.allSettled(ending.map((animation) => animation.finished))
  // What lies behind a dialog can be neither read nor reached, unless it is a panel beside it.
  const open = document.querySelectorAll('[role=dialog]:not([data-beside]), [role=alertdialog]')
  const whole = open.length ? open : document
  const { violations } = await window.axe.run(element === document.documentElement ? whole : element, {
    resultTypes: ['violations'],
    preload: false, // what it would load is for rules about media
  })
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target, html }) => `${id}: ${target} ${html}`))
}

/** Asks axe about the page, or about one part of it. */
export async function scanIn(page: Page, theme: 'light' | 'dark', scope = page.locator('html')): Promise<string[]> {
  for (const frame of page.frames()) await bringAxe(frame)
  return scope.evaluate(scan, theme)
}

const overflow = (page: Page): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)

/** A picture takes its new width a moment later. */
export const expectNoSideways = (page: Page): Promise<void> =>
  expect.poll(() => overflow(page), `scrolls sideways at ${page.viewportSize()?.width} pixels`).toBeLessThanOrEqual(0)

/**
 * Two runs of axe in place of four, since they are the dearest part of a story: both layouts and both themes are looked at
 * by every rule. web/look.test.ts reckons the inks of both themes, so that a pair of colours used on one layout alone is left.
 */
const LOOKS = [
  { width: 1440, height: 900, theme: 'light' },
  { width: 1266, height: 800, theme: null }, // where a table shows all its columns and has the least room for them
  { width: 390, height: 844, theme: 'dark' },
] as const

/** Asks axe on a desk and on a phone, where the page must not scroll sideways either. */
export async function expectNoViolations(page: Page): Promise<void> {
  const before = page.viewportSize()
  const themed = await page.evaluate(() => document.documentElement.dataset.theme)
  for (const { theme, ...size } of LOOKS) {
    await page.setViewportSize(size)
    if (theme) expect(await scanIn(page, theme), `${theme}, ${size.width} pixels wide`).toEqual([])
    await expectNoSideways(page)
  }
  await page.evaluate((theme) => {
    if (theme === undefined) delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = theme
  }, themed)
  if (before) await page.setViewportSize(before)
}

const matcherOf = (endpoint: Endpoint) => {
  const path = new RegExp(`^${pathOf({ path: endpoint.path.replace(/:\w+/g, '[^/]+') }).replace(/\/$/, '')}/?$`)
  return (url: URL) => path.test(url.pathname)
}

/** An answer as the server wraps it. */
export const success = (data: unknown, meta: Partial<Meta> = {}) => ({
  success: true,
  data,
  message: null,
  errors: null,
  meta,
})

/** The next call gets this answer instead of the server's. */
export async function answerNext(
  page: Page,
  endpoint: Endpoint,
  status: number,
  body: unknown,
  times = 1,
): Promise<void> {
  let left = times
  await page.route(matcherOf(endpoint), (route) => {
    if (left === 0 || route.request().method() !== endpoint.method) return route.fallback()
    left -= 1
    return route.fulfill({ status, json: body })
  })
}

/** The next load or save fails without a word; a load is tried twice, and fails twice. */
export const failNext = (page: Page, endpoint: Endpoint): Promise<void> =>
  answerNext(page, endpoint, 500, {}, endpoint.method === 'GET' ? 2 : 1)

/** The server does what the next call asks, but its answer does not arrive. */
export async function loseNext(page: Page, endpoint: Endpoint): Promise<void> {
  let isLost = false
  await page.route(matcherOf(endpoint), async (route) => {
    if (isLost || route.request().method() !== endpoint.method) return route.fallback()
    isLost = true
    await route.fetch()
    await route.fulfill({ status: 503, body: '' })
  })
}

/** Holds back the calls of this endpoint until the returned function is called. */
export async function hold(page: Page, endpoint: Endpoint): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(matcherOf(endpoint), async (route) => {
    if (route.request().method() === endpoint.method) await promise
    await route.fallback()
  })
  return resolve
}

/** The calls of this endpoint from now on. */
export function callsOf(page: Page, endpoint: Endpoint): URL[] {
  const seen: URL[] = []
  const isOurs = matcherOf(endpoint)
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (request.method() === endpoint.method && isOurs(url)) seen.push(url)
  })
  return seen
}

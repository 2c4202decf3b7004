import { type Browser, chromium, type Page } from '@playwright/test'
import { auth } from '#contract/auth.ts'
import { connect } from '#db/connect.ts'
import startServer, { readServed } from '#e2e/server.ts'
import { findChromium } from '#scripts/chromium.ts'
import { CROWD, fillCrowd } from './crowd.ts'

/** What the product promises of a screen with thousands of rows. */
const FIRST_ROWS_MS = 300
const KEY_MS = 50

interface Screen {
  name: string
  path: string
  /** Pickers of the screen itself. */
  pickers?: string[]
  /** A dialog with pickers. */
  dialog?: { button: string; pickers: string[] }
}

const screens: Screen[] = [
  { name: 'Afiliados', path: 'affiliates' },
  { name: 'Productos', path: 'products', pickers: ['Filtrar por emisor'] },
  {
    name: 'Relaciones',
    path: 'relationships',
    pickers: ['Filtrar por afiliado'],
    dialog: { button: 'Nueva Relación', pickers: ['Afiliado', 'Emisor'] },
  },
  { name: 'Usuarios', path: 'users' },
  { name: 'Eventos', path: 'events', pickers: ['Producto'] },
  { name: 'Pagos', path: 'payments', pickers: ['Afiliado'], dialog: { button: 'Crear Pago', pickers: ['Relación'] } },
]

declare global {
  interface Window {
    bench: { answered: number; painted: number; slowest: number; longest: number }
  }
}

/**
 * Runs in the page: when the first rows were shown, and since the last reset to 0 the slowest response to a key or a
 * click (until the next frame) and the longest task.
 */
function watch(): void {
  window.bench = { answered: 0, painted: 0, slowest: 0, longest: 0 }
  const noting = (figure: 'slowest' | 'longest') =>
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.bench[figure] = Math.max(window.bench[figure], duration)
    })
  noting('slowest').observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
  noting('longest').observe({ type: 'longtask' })
  const look = () => {
    if (window.bench.painted || !document.querySelector('table[aria-busy=false] tbody tr')) return
    const answers = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    window.bench.answered = Math.max(
      ...answers.filter(({ name }) => name.includes('/api/')).map((each) => each.responseEnd),
    )
    // Two frames later, the first is on the screen.
    requestAnimationFrame(() => requestAnimationFrame(() => (window.bench.painted = performance.now())))
  }
  new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true })
}

async function slowestWhile(page: Page, act: () => Promise<void>): Promise<{ slowest: number; longest: number }> {
  await page.evaluate(() => Object.assign(window.bench, { slowest: 0, longest: 0 }))
  await act()
  await page.waitForTimeout(600) // deferred work is drawn, and its performance entry is there
  return page.evaluate(() => window.bench)
}

/** Types quickly, as a person who knows the name; then so slowly that each letter triggers a search. */
async function type(page: Page, words: string): Promise<void> {
  await page.keyboard.type(words, { delay: 60 })
  for (let count = 0; count < 4; count++) await page.keyboard.press('Backspace', { delay: 20 })
  await page.waitForTimeout(300)
  await page.keyboard.type(words.slice(-4), { delay: 320 })
}

async function measurePicker(page: Page, scope: ReturnType<Page['locator']>, label: string) {
  const picker = scope.getByRole('combobox', { name: label, exact: true })
  const open = await slowestWhile(page, async () => {
    await picker.click()
    await page.getByRole('option').first().waitFor()
  })
  const typing = await slowestWhile(page, () => type(page, 'o 0123'))
  await page.keyboard.press('Escape')
  return { open: open.slowest, typing: typing.slowest, task: Math.max(open.longest, typing.longest) }
}

type Line = Record<string, string | number>

async function measureScreen(page: Page, base: string, screen: Screen, slowdown: number): Promise<Line[]> {
  await page.goto(`${base}/app/admin/${screen.path}`)
  await page.waitForFunction(() => window.bench.painted > 0)
  const rows = await page.evaluate(() => Math.round(window.bench.painted - window.bench.answered))
  const search = page.getByRole('searchbox')
  const lines: Line[] = [{ place: screen.name, slowdown, rows }]
  if (await search.count()) {
    await search.click()
    const { slowest, longest } = await slowestWhile(page, () => type(page, 'a 0123'))
    Object.assign(lines[0] ?? {}, { typing: slowest, task: longest })
  }
  for (const label of screen.pickers ?? [])
    lines.push({
      place: `${screen.name}: ${label}`,
      slowdown,
      ...(await measurePicker(page, page.locator('main'), label)),
    })
  if (!screen.dialog) return lines
  await page.getByRole('button', { name: screen.dialog.button }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await page.waitForLoadState('networkidle')
  for (const label of screen.dialog.pickers)
    lines.push({ place: `${screen.dialog.button}: ${label}`, slowdown, ...(await measurePicker(page, dialog, label)) })
  return lines
}

async function signedIn(browser: Browser, slowdown: number): Promise<Page> {
  const { baseURL, admin } = readServed()
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, locale: 'es-MX' })
  const answer = await page.request.post(`${baseURL}${auth.login.path}`, { data: admin })
  const { data } = await answer.json()
  await page.goto(`${baseURL}/favicon.svg`)
  await page.evaluate(({ access, refresh, user }) => {
    sessionStorage.setItem('accessToken', access)
    sessionStorage.setItem('refreshToken', refresh)
    sessionStorage.setItem('authUser', JSON.stringify(user))
  }, data)
  await page.addInitScript(watch)
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  return page
}

const stop = await startServer()
try {
  const { baseURL, databaseUrl } = readServed()
  const db = connect(databaseUrl, { max: 1 })
  await fillCrowd(db)
  await db.destroy()
  const executablePath = findChromium()
  const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: ['--no-sandbox'] })
  const lines: Line[] = []
  for (const slowdown of [1, 4]) {
    const page = await signedIn(browser, slowdown)
    for (const screen of screens) lines.push(...(await measureScreen(page, baseURL, screen, slowdown)))
    await page.close()
  }
  await browser.close()
  console.log(
    `${CROWD.affiliates} affiliates, relationships and users, ${CROWD.products} products; milliseconds.
rows: from the answer to the first rows on the screen; at most ${FIRST_ROWS_MS}.
open, typing: the slowest answer to a click or a key; at most ${KEY_MS}. task: the longest one meanwhile.
slowdown: of the processor; the limits are those of a whole one.`,
  )
  console.table(lines, ['place', 'slowdown', 'rows', 'open', 'typing', 'task'])
  const isLate = ({ rows = 0, open = 0, typing = 0 }: Line) =>
    Number(rows) > FIRST_ROWS_MS || Number(open) > KEY_MS || Number(typing) > KEY_MS
  if (lines.some((line) => line.slowdown === 1 && isLate(line))) process.exitCode = 1
} finally {
  await stop()
}

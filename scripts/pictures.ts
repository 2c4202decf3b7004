import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Browser, chromium, type Page } from '@playwright/test'
import { ensureChromium } from './chromium.ts'
import { isReady } from './command.ts'

// Draws the pictures of the landing page anew, from a demonstration of its own: `npm run pictures`, or `-- NAME` for one.

const ROOT = join(import.meta.dirname, '..')
const FOLDER = join(ROOT, 'web/landing/pictures')
const ORIGIN = 'http://127.0.0.1:3999'
const PASSWORD = 'Afluente2026'
const QUALITY = 0.75
const START_MS = 180_000

const sizes = {
  '': { viewport: { width: 1440, height: 900 }, deviceScaleFactor: 1600 / 1440 },
  '-phone': { viewport: { width: 390, height: 720 }, deviceScaleFactor: 2 },
}

interface Picture {
  file: string
  account: 'admin' | 'emisor' | 'afiliado'
  path: string
  /** Of a film: what leads from each frame to the next. */
  steps?: ((page: Page) => Promise<void>)[]
}

/** The first such link or button. */
const press = (name: RegExp) => (page: Page) =>
  page.getByRole('link', { name }).or(page.getByRole('button', { name })).first().click()

/** Of a list's row, whose link its cell lies over: no point of it takes a click for sure. */
const openRow = (name: RegExp) => (page: Page) =>
  page.getByRole('link', { name }).or(page.getByRole('button', { name })).first().dispatchEvent('click')

const pictures: Picture[] = [
  { file: 'dashboard', account: 'emisor', path: '/app/issuer/dashboard' },
  {
    file: 'month',
    account: 'admin',
    path: '/app/admin/payments',
    steps: [
      press(/^Ver comisiones sin pago/),
      async (page) => {
        await press(/Crear pago de/)(page)
        await press(/^Calcular$/)(page)
      },
    ],
  },
  {
    file: 'event',
    account: 'emisor',
    path: '/app/issuer/integration',
    steps: [
      (page) => page.getByRole('button', { name: 'Enviar evento de prueba' }).scrollIntoViewIfNeeded(),
      async (page) => {
        await page.getByLabel('event_id').fill(`prueba-${Date.now() % 10_000}`)
        await press(/^Enviar evento de prueba/)(page)
        await page.getByText('data de la respuesta').scrollIntoViewIfNeeded()
      },
    ],
  },
  {
    file: 'peso',
    account: 'admin',
    path: '/app/admin/payments?estado=paid',
    steps: [openRow(/^Pago \d|Ver pago/), press(/^¿De dónde sale\? Pago/)],
  },
]

/** The product with the demonstration, on an empty folder; ends with what is returned. */
async function startDemo(): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'afluente-pictures-'))
  const server = spawn(process.execPath, [join(ROOT, 'server/main.ts')], {
    cwd: ROOT,
    env: { ...process.env, PORT: '3999', HOST: '127.0.0.1', DEMO: '1', DATA_DIR: folder, LOG_LEVEL: 'error' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const gone = new Promise<void>((done) => server.once('exit', () => done()))
  const stop = async () => {
    server.kill('SIGTERM')
    await gone
    rmSync(folder, { recursive: true })
  }
  for (let waited = 0; waited < START_MS; waited += 500) {
    if (await isReady(ORIGIN)) return stop
    if (server.exitCode !== null) break
    await wait(500)
  }
  await stop()
  throw new Error('The demonstration did not start')
}

async function signIn(page: Page, account: Picture['account']): Promise<void> {
  await page.goto(`${ORIGIN}/login`)
  await page.getByLabel('Correo electrónico').fill(`${account}@demo.afluente.mx`)
  await page.getByLabel('Contraseña', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/dashboard')
}

/** At rest: nothing loads, nothing moves, and no notice lies over it. */
async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.addStyleTag({ content: '[data-sonner-toaster] { display: none }' })
  await wait(1000)
}

/** As WebP, which the browser writes and its screenshots do not. */
async function toWebp(browser: Browser, png: Buffer): Promise<Buffer> {
  const page = await browser.newPage()
  const url = await page.evaluate(
    async ([base64, quality]) => {
      const image = new Image()
      image.src = `data:image/png;base64,${base64}`
      await image.decode()
      const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height })
      canvas.getContext('2d')?.drawImage(image, 0, 0)
      return canvas.toDataURL('image/webp', quality)
    },
    [png.toString('base64'), QUALITY] as const,
  )
  await page.close()
  return Buffer.from(url.split(',')[1] ?? '', 'base64')
}

async function draw(browser: Browser, { file, account, path, steps }: Picture): Promise<void> {
  for (const [suffix, size] of Object.entries(sizes))
    for (const theme of ['light', 'dark'] as const) {
      const context = await browser.newContext({ ...size, colorScheme: theme, locale: 'es-MX', bypassCSP: true })
      const page = await context.newPage()
      const save = async (name: string) => {
        await settle(page)
        const bytes = await toWebp(browser, await page.screenshot())
        writeFileSync(join(FOLDER, name), bytes)
        process.stdout.write(`${name} ${Math.round(bytes.length / 1000)} kB\n`)
      }
      await signIn(page, account)
      await page.goto(ORIGIN + path)
      await save(`${file}${steps ? '-1' : ''}-${theme}${suffix}.webp`)
      for (const [index, step] of (steps ?? []).entries()) {
        await step(page)
        await save(`${file}-${index + 2}-${theme}${suffix}.webp`)
      }
      await context.close()
    }
}

const [only] = process.argv.slice(2)
const stop = await startDemo()
const browser = await chromium.launch({ executablePath: ensureChromium() })
try {
  for (const picture of pictures.filter(({ file }) => !only || file === only)) await draw(browser, picture)
} finally {
  await browser.close()
  await stop()
}

import { expect, type Page } from '@playwright/test'
import type { Endpoint } from '#contract/endpoint.ts'
import { hold } from './screen.ts'

/** What moved by itself since the page was opened: the share of the window times how far, as browsers measure it. */
const moved = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const shifts: number[] = []
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value)
    }).observe({ type: 'layout-shift', buffered: true })
    for (const _ of [1, 2, 3]) await new Promise(requestAnimationFrame)
    return shifts.reduce((sum, shift) => sum + shift, 0)
  })

/** A line of text that comes between moves what is below by some thousandths; the first words before the font do less. */
const STEADY = 0.002

interface Screen {
  path: string
  loads: readonly Endpoint[]
  /** Words that are there when everything is. */
  loaded: string | RegExp
}

export async function expectNothingMoved(page: Page): Promise<void> {
  await expect(page.getByText(/^Cargando/)).toHaveCount(0)
  expect(await moved(page)).toBeLessThan(STEADY)
}

/** Opens a screen before what it loads is there, and compares. */
export async function expectSteady(page: Page, { path, loads, loaded }: Screen): Promise<void> {
  const releases: (() => void)[] = []
  for (const endpoint of loads) releases.push(await hold(page, endpoint))
  await page.goto(path)
  await expect(page.getByText(/^Cargando/).first()).toBeAttached()
  for (const release of releases) release()
  await expect(page.getByText(loaded).first()).toBeVisible()
  await expectNothingMoved(page)
}

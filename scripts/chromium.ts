import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from '@playwright/test'
import { OperatorError } from '#db/operator-error.ts'
import { installFromDebian, isProgram, run } from './debian.ts'

// The shell first: the same pages without a window's machinery, which costs a fifth of the time of the browser tests.
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** The browser of this machine: named, found in PATH, or downloaded by Playwright. */
export function findChromium(): string | undefined {
  const named = process.env.CHROMIUM_PATH
  if (named) return named
  const folders = (process.env.PATH ?? '').split(delimiter)
  const found = folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(isProgram)
  return found ?? (existsSync(chromium.executablePath()) ? chromium.executablePath() : undefined)
}

/** Installs a browser when there is none: Debian's where we may, else Playwright's. */
export function ensureChromium(): string {
  const found = findChromium()
  if (found) return found
  process.stdout.write('Instalando Chromium…\n')
  const installed = installFromDebian('chromium-headless-shell') ? findChromium() : undefined
  if (installed) return installed
  run(process.execPath, join(import.meta.dirname, '../node_modules/@playwright/test/cli.js'), 'install', 'chromium')
  const downloaded = findChromium()
  if (!downloaded)
    throw new OperatorError('No se pudo instalar Chromium: instálelo e indique su ruta en CHROMIUM_PATH.')
  return downloaded
}

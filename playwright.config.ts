import { defineConfig } from '@playwright/test'
import { findChromium } from './scripts/chromium.ts'

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.test.ts',
  testIgnore: process.env.TEST_ALL ? [] : '**/*.all.test.ts',
  globalSetup: './e2e/server.ts',
  outputDir: 'test-results/e2e',
  reporter: [
    ['list'],
    ['json', { outputFile: process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ?? 'test-results/playwright.json' }],
  ],
  forbidOnly: true,
  retries: 1, // npm test tells which ones needed it
  workers: 3, // some wait while others draw
  fullyParallel: true,
  timeout: 300_000, // ends what hangs; a story walks a whole screen
  expect: { timeout: 30_000 },
  use: {
    actionTimeout: 60_000,
    baseURL: process.env.E2E_BASE_URL, // set by e2e/server.ts before the workers start
    locale: 'es-MX',
    timezoneId: 'America/Mexico_City',
    contextOptions: { reducedMotion: 'reduce' }, // nothing to wait for, and a fifth less to draw
    // Recording costs a seventh of the processor's time of a story, so that only one that failed is recorded.
    trace: { mode: 'on-first-retry', screenshots: false, sources: false },
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: findChromium(),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--host-resolver-rules=MAP *.journey.mx 127.0.0.1', // e2e/bank.ts
      ],
    },
  },
  projects: [{ name: 'desktop', use: { browserName: 'chromium', viewport: { width: 1440, height: 900 } } }],
})

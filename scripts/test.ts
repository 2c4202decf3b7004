// npm test: everything that shows whether the product works, ending with one line of totals.
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '#db/operator-error.ts'
import { checks, type Outcome, runStep, type Step, tell } from './checks.ts'
import { ensureChromium } from './chromium.ts'
import { ensurePhp } from './php.ts'

// Read by vitest.config.ts and playwright.config.ts, and by tests that take a few cases of many.
if (process.argv.includes('--all')) process.env.TEST_ALL = '1'

const root = join(import.meta.dirname, '..')
const results = join(root, 'test-results')
const report = (name: string) => join(results, `${name}.json`)
const tool = (path: string) => join(root, 'node_modules', path)

const NO_PHP =
  'Sin PHP no se ejecutaron sus pruebas (server/docs/clients.test.ts): instale PHP 8.1 o posterior con la extensión curl (en Debian: apt-get install php-cli php-curl) o indique su ruta en PHP_PATH.'

/** `again`: of the passed ones, those that failed at first. */
type Totals = { passed: number; failed: number; again: number }

const vitest: Step = {
  name: 'pruebas del servidor y de la web',
  args: [
    tool('vitest/vitest.mjs'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report('vitest')}`,
  ],
}
const build: Step = { name: 'construcción de la web', args: ['scripts/build.mjs'] }
const browser: Step = {
  name: 'pruebas en el navegador',
  args: [tool('@playwright/test/cli.js'), 'test'],
  env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report('playwright') },
}

const readReport = (name: string) => {
  try {
    return JSON.parse(readFileSync(report(name), 'utf8'))
  } catch {
    return {} // the tool died before writing it; its exit code says so
  }
}

function totalsOf(step: Step): Totals {
  if (step === vitest) {
    const { numPassedTests = 0, numFailedTests = 0 } = readReport('vitest')
    return { passed: numPassedTests, failed: numFailedTests, again: 0 }
  }
  if (step === browser) {
    const { expected = 0, unexpected = 0, flaky = 0 } = readReport('playwright').stats ?? {}
    return { passed: expected + flaky, failed: unexpected, again: flaky }
  }
  return { passed: 0, failed: 0, again: 0 }
}

type Spec = {
  title: string
  file: string
  ok: boolean
  tests: { status: string; results: { errors: { message?: string }[] }[] }[]
}
type Suite = { specs?: Spec[]; suites?: Suite[] }
type TestFile = {
  name: string
  message: string
  assertionResults: { fullName: string; status: string; failureMessages: string[] }[]
}

const specsOf = ({ specs = [], suites = [] }: Suite): Spec[] => [...specs, ...suites.flatMap(specsOf)]

const told = (mark: string, { file, title, tests }: Spec): string => {
  const errors = tests.flatMap(({ results }) => results.flatMap((result) => result.errors))
  return `${mark} ${file} › ${title}\n${errors.map(({ message }) => message).join('\n')}`
}

/** The stories that needed a second try, with why the first one failed: each is to be looked at. */
const secondTriesOf = (step: Step): string[] =>
  step === browser
    ? specsOf(readReport('playwright'))
        .filter(({ tests }) => tests.some(({ status }) => status === 'flaky'))
        .map((spec) => told('~', spec))
    : []

/** Each failed test with why, to be read at the end of a long output. */
function failuresOf(step: Step): string[] {
  if (step === vitest) {
    const files: TestFile[] = readReport('vitest').testResults ?? []
    return files.flatMap(({ name, message, assertionResults }) => [
      ...(message ? [`✗ ${name}\n${message}`] : []),
      ...assertionResults
        .filter(({ status }) => status === 'failed')
        .map(({ fullName, failureMessages }) => `✗ ${name} › ${fullName}\n${failureMessages.join('\n')}`),
    ])
  }
  if (step !== browser) return []
  return specsOf(readReport('playwright'))
    .filter(({ ok }) => !ok)
    .map((spec) => told('✗', spec))
}

/** The steps of a group beside each other; what they print would mix, so that only a group of one shows it at once. */
async function runGroup(steps: Step[]): Promise<Outcome[]> {
  process.stdout.write(`\n— ${steps.map(({ name }) => name).join(', ')}\n`)
  return await Promise.all(
    steps.map(async (step) => {
      const outcome = await runStep(step, steps.length > 1)
      tell(outcome)
      return outcome
    }),
  )
}

async function runAll(groups: Step[][], missing: string[]): Promise<boolean> {
  const outcomes: Outcome[] = []
  for (const group of groups) outcomes.push(...(await runGroup(group)))
  const total: Totals = { passed: 0, failed: 0, again: 0 }
  for (const { step, ok } of outcomes) {
    const { passed, failed, again } = totalsOf(step)
    total.passed += passed
    total.again += again
    // A tool that fails without a failed test (types, style, a crash) counts as one.
    total.failed += ok ? failed : Math.max(failed, 1)
  }
  process.stdout.write('\n')
  for (const said of outcomes.flatMap(({ step }) => [...secondTriesOf(step), ...failuresOf(step)]))
    process.stdout.write(`${said}\n\n`)
  for (const outcome of outcomes) tell({ ...outcome, output: '' })
  for (const each of missing) process.stdout.write(`– ${each}\n`)
  const again = total.again ? ` (${total.again} of them only when tried again)` : ''
  process.stdout.write(`\n${total.passed} passed${again}, ${total.failed} failed\n`)
  return total.failed === 0
}

/**
 * What is of the machine and not of npm. A stranger's machine without it runs all the rest and is told what did not run; the
 * one that hands in (CI) has it.
 */
function findTools(): string[] {
  const missing: string[] = []
  const php = ensurePhp()
  if (php) process.env.PHP_PATH = php
  else missing.push(NO_PHP)
  try {
    process.env.CHROMIUM_PATH = ensureChromium()
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    missing.push(`Sin navegador no se ejecutaron las pruebas en él. ${error.message}`)
  }
  return missing
}

rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })
const missing = findTools()
const groups = [[...checks, build], [vitest], ...(process.env.CHROMIUM_PATH ? [[browser]] : [])]
const passed = await runAll(groups, missing)
if (!passed || (process.env.CI && missing.length > 0)) process.exitCode = 1
// The channel to the starter would keep us here.
if (process.connected) process.disconnect()

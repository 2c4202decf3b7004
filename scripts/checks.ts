import { spawn } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const tool = (path: string) => join(root, 'node_modules', path)

export type Step = { name: string; args: string[]; env?: Record<string, string> }

/** What needs no running product: types, style, table types that match the migrations, and the API's that match the contract. */
export const checks: Step[] = [
  { name: 'tipos', args: [tool('typescript/bin/tsc'), '--noEmit'] },
  { name: 'estilo', args: [tool('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings'] },
  { name: 'tipos de las tablas', args: ['scripts/db-types.ts', '--verify'] },
  { name: 'tipos de la API', args: ['scripts/api-types.ts', '--verify'] },
]

export const houseRules: Step = {
  name: 'reglas de la casa',
  args: [tool('vitest/vitest.mjs'), 'run', '--project', 'house'],
}

export type Outcome = { step: Step; ok: boolean; seconds: number; output: string }

/** Runs one tool on this Node; its output is kept when `quiet`, shown at once otherwise. */
export function runStep(step: Step, quiet: boolean): Promise<Outcome> {
  const began = performance.now()
  const child = spawn(process.execPath, step.args, {
    cwd: root,
    env: { ...process.env, ...step.env },
    stdio: ['ignore', quiet ? 'pipe' : 'inherit', quiet ? 'pipe' : 'inherit'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (output += data))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      resolve({ step, ok: code === 0, seconds: (performance.now() - began) / 1000, output })
    })
  })
}

export function tell({ step, ok, seconds, output }: Outcome): void {
  if (!ok && output) process.stdout.write(output)
  process.stdout.write(`${ok ? '✓' : '✗'} ${step.name} (${seconds.toFixed(1)} s)\n`)
}

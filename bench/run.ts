// npm run bench -- <part> [...]: measures one part of the product and writes the figures to bench/RESULTS.md.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const PARTS: Record<string, string> = {
  clicks: 'redirects, lateness, events and memory under load [--quick] [--minutes 10]',
  sustained:
    'clicks at a rate that is held, with events and lists beside [--rate 4000] [--minutes 10] [--leads 10000000]',
  lists: 'lists, boards and previews while clicks and events come in [--leads 10000000] [--minutes 10] [--plans]',
  reconciliation: 'a file of a million rows uploaded, simulated, applied and undone [--rows 1000000] [--clicks 500]',
  deliveries: 'a thousand dead receivers beside a good one, while events come in [--seconds 60] [--events 20]',
  copies: 'two servers on one database behind a balancer, whether they behave as one [sessions taps …]',
  screens: 'screens with thousands of rows, in a browser; prints only',
}

const [part = '', ...rest] = process.argv.slice(2)
if (part in PARTS) {
  const file = join(import.meta.dirname, `${part}.ts`)
  process.exitCode = spawnSync(process.execPath, [file, ...rest], { stdio: 'inherit' }).status ?? 1
} else {
  for (const [name, text] of Object.entries(PARTS)) console.log(`npm run bench -- ${name}  ${text}`)
  process.exitCode = 1
}

import { ensureInstalled, handOver } from './bootstrap.mjs'

ensureInstalled()
handOver(['scripts/test.ts', ...process.argv.slice(2)])

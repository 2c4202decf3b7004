import { ensureInstalled, handOver } from './bootstrap.mjs'
import { ensureWebBuilt } from './web-build.mjs'

ensureInstalled()
ensureWebBuilt()
// The flag: docs/decisions/0006-runtime.md.
handOver(['--max-semi-space-size=8', 'server/main.ts'])

import { ensureInstalled, handOver } from './bootstrap.mjs'
import { ensureWebBuilt } from './web-build.mjs'

ensureInstalled()
ensureWebBuilt()
handOver(['server/main.ts'])

import { ensureInstalled } from './bootstrap.mjs'
import { ensureWebBuilt } from './web-build.mjs'

ensureInstalled()
ensureWebBuilt()

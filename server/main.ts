import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Halves the time from a crash to the next click, and must come before anything else is loaded.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/afluente'))
const { run } = await import('./start/run.ts')
run(process.env)

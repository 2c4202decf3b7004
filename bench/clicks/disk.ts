import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { makeFolder, removeFolder } from './world.ts'

const PAGE = Buffer.alloc(8192, 1)
const PAGES = 2000

/** Milliseconds in which an otherwise idle disk flushes a page: no commit is quicker. */
export async function flushTimes(seconds: number): Promise<number[]> {
  const folder = makeFolder()
  const file = await open(join(folder, 'pages'), 'w')
  try {
    await file.write(Buffer.alloc(PAGES * PAGE.length, 1))
    await file.sync()
    const times: number[] = []
    const end = performance.now() + seconds * 1000
    while (performance.now() < end) {
      const began = performance.now()
      await file.write(PAGE, 0, PAGE.length, (times.length % PAGES) * PAGE.length)
      await file.datasync()
      times.push(performance.now() - began)
      await wait(1)
    }
    return times
  } finally {
    await file.close()
    removeFolder(folder)
  }
}

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { SECRET } from '#bench/clicks/world.ts'
import { promise } from '#bench/figures.ts'
import { apart, freePort } from '#db/processes.testing.ts'
import { type Fault, NotRun } from './fault.ts'
import { inWorld } from './world.ts'

const LONG = { rounds: 10, clicks: 200, events: 10 }
const SHORT = { rounds: 1, clicks: 100, events: 5 }
const PATIENCE_MS = 30_000

interface Second {
  process: ChildProcess
  said: () => string
}

/** Another server on that folder, which sees none of our processes if the prefix hides them. */
async function startSecond(prefix: string[], dataDir: string): Promise<Second> {
  const [command = '', ...args] = [...prefix, process.execPath, 'server/main.ts']
  const second = spawn(command, args, {
    cwd: join(import.meta.dirname, '..'),
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, PORT: String(await freePort()), DATA_DIR: dataDir, SECRET, DEMO: '0' },
  })
  let said = ''
  second.stdout.on('data', (data) => {
    said += data
  })
  return { process: second, said: () => said }
}

async function expectSaid({ said }: Second, text: string): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await wait(20))
    if (said().includes(text)) return
  throw new Error(`The second server should say '${text}', and says: ${said()}`)
}

async function expectRefused(prefix: string[], dataDir: string, why: string): Promise<void> {
  const before = postmasterOf(dataDir)
  const second = await startSecond(prefix, dataDir)
  const ended = once(second.process, 'close')
  const late = wait(PATIENCE_MS, ['running'], { ref: false })
  const [code] = await Promise.race([ended, late])
  second.process.kill('SIGKILL')
  promise(code === 1 && second.said().includes(why), `The second server started: ${second.said()}`, { code })
  promise(postmasterOf(dataDir) === before, 'The second server touched postmaster.pid', {})
}

const postmasterOf = (dataDir: string): string => readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8')

/** A second server must not start PostgreSQL over one that outlived the first server, which it does not see. */
async function expectNotTaken(prefix: string[], dataDir: string): Promise<void> {
  const before = postmasterOf(dataDir)
  const second = await startSecond(prefix, dataDir)
  await expectSaid(second, 'no se ve desde aquí')
  promise(postmasterOf(dataDir) === before, 'The second server touched postmaster.pid', {})
  const ended = once(second.process, 'close')
  second.process.kill('SIGKILL')
  await ended
}

export const fault: Fault = {
  id: 'R23',
  title: 'two servers on one data folder',
  run: ({ short, say, world: given }) =>
    inWorld({ embedded: true, small: short, world: given }, async (world) => {
      const { rounds, ...rates } = short ? SHORT : LONG
      const hidden = apart()
      if (!hidden && !short) throw new NotRun('no process may have a PID namespace of its own')
      const server = await world.start()
      const [{ pid, starts }, load] = [server, await world.load(server, rates)]
      const copy = join(world.folder, 'copy')
      for (let round = 1; round <= rounds; round += 1) {
        await expectRefused(hidden ?? [], world.dataDir, 'ya está en uso')
        // Files may vanish meanwhile, which cp reports.
        spawnSync('cp', ['-a', world.dataDir, copy])
        await expectRefused(hidden ?? [], copy, 'se copió de otra')
        rmSync(copy, { recursive: true })
        say(`round ${round}: refused on the folder and on a copy of it`)
      }
      promise(server.pid === pid && server.starts === starts, 'The first server ended', { starts: server.starts })
      const { failures } = load.client
      if (hidden) await server.killAnd(() => expectNotTaken(hidden, world.dataDir))
      await load.client.untilAcknowledged('click', performance.now())
      await server.untilReady()
      const figures = { 'second starts': rounds, 'on copies': rounds, ...(await load.check()) }
      promise(Object.keys(failures).length === 0, 'The first server noticed the second', { ...figures, ...failures })
      return figures
    }),
}

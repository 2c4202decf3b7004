import { setTimeout as wait } from 'node:timers/promises'

/** One series of the server's metrics page. */
export type ReadMetric = (name: string) => Promise<number>

export const metricsAt =
  (port: number): ReadMetric =>
  async (name) => {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    const line = text.split('\n').find((each) => each.startsWith(`${name} `))
    if (!line) throw new Error(`The server does not measure ${name}`)
    return Number(line.slice(name.length + 1))
  }

export async function untilDrained(read: ReadMetric, milliseconds = 60_000): Promise<void> {
  for (const end = Date.now() + milliseconds; Date.now() < end; await wait(50))
    if ((await read('afluente_spool_records')) === 0) return
  throw new Error(`The spool was not drained in ${milliseconds} ms`)
}

import net from 'node:net'

interface State {
  mode: 'pass' | 'refuse' | 'swallow'
  cuts: number
  cutsMade: number
  delayMs: number
}

export type DatabaseProxy = Awaited<ReturnType<typeof startProxy>>

/**
 * Stands between us and PostgreSQL. On request it closes all connections, swallows everything silently, delays every
 * answer, or lets the next COMMIT through, swallows its answer and closes the connection.
 */
export async function startProxy(databaseUrl: string) {
  const target = new URL(databaseUrl)
  const state: State = { mode: 'pass', cuts: 0, cutsMade: 0, delayMs: 0 }
  const sockets = new Set<net.Socket>()
  const proxy = net.createServer((near) => {
    near.on('error', () => near.destroy()).on('close', () => sockets.delete(near))
    sockets.add(near)
    if (state.mode === 'pass') join(state, near, net.connect(Number(target.port), target.hostname))
    else if (state.mode === 'swallow') near.resume()
    else near.destroy()
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const url = new URL(target)
  url.host = `127.0.0.1:${(proxy.address() as net.AddressInfo).port}`
  const become = (mode: State['mode']) => {
    state.mode = mode
    if (mode === 'refuse') for (const socket of sockets) socket.destroy()
  }
  return {
    url: url.href,
    cutNext: (times: number) => {
      state.cuts = times
    },
    cutsMade: () => state.cutsMade,
    delay: (milliseconds: number) => {
      state.delayMs = milliseconds
    },
    refuse: () => become('refuse'),
    swallow: () => become('swallow'),
    pass: () => become('pass'),
    reset: () => Object.assign(state, { mode: 'pass', cuts: 0, delayMs: 0 }),
    close: () => {
      proxy.close()
      become('refuse')
    },
  }
}

/** Statements that commit by themselves, and the end of a transaction. */
const COMMITS = ['copy lead', 'store-leads', 'Q\0\0\0\x0bcommit\0']

/** A connection that was silenced stays silent: data is missing from it. */
function join(state: State, near: net.Socket, far: net.Socket): void {
  let [cutting, silent] = [false, false]
  const answer = inOrder(state, near)
  near.on('data', (data) => {
    cutting ||= state.cuts > 0 && COMMITS.some((text) => data.includes(text))
    silent ||= state.mode === 'swallow'
    if (!silent) far.write(data)
  })
  far.on('data', (data) => {
    silent ||= state.mode === 'swallow'
    if (!cutting) return silent || answer(data)
    state.cuts -= 1
    state.cutsMade += 1
    near.destroy()
    return far.destroy()
  })
  near.on('close', () => far.destroy())
  far.on('error', () => near.destroy()).on('close', () => near.destroy())
}

/** Writes each piece after the delay set when it arrives, in order. */
function inOrder(state: State, socket: net.Socket): (data: Buffer) => void {
  const held: { due: number; data: Buffer }[] = []
  const release = () => {
    while (held[0] && held[0].due <= performance.now()) socket.write(held.shift()?.data ?? '')
    if (held[0]) setTimeout(release, held[0].due - performance.now())
  }
  return (data) => {
    if (!held.length && !state.delayMs) return void socket.write(data)
    held.push({ due: performance.now() + state.delayMs, data })
    if (held.length === 1) release()
  }
}

import net from 'node:net'

interface State {
  mode: 'pass' | 'refuse' | 'swallow'
  cuts: number
}

/**
 * Stands between us and PostgreSQL. Told to, it hangs up on everybody, swallows everything without a word, or swallows
 * the answer to the next INSERT and hangs up.
 */
export async function startProxy(databaseUrl: string) {
  const target = new URL(databaseUrl)
  const state: State = { mode: 'pass', cuts: 0 }
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
    refuse: () => become('refuse'),
    swallow: () => become('swallow'),
    pass: () => become('pass'),
    close: () => {
      proxy.close()
      become('refuse')
    },
  }
}

/** What was silent once stays silent: the other side has forgotten it. */
function join(state: State, near: net.Socket, far: net.Socket): void {
  let [cutting, silent] = [false, false]
  near.on('data', (data) => {
    cutting ||= state.cuts > 0 && data.includes('store-leads')
    silent ||= state.mode === 'swallow'
    if (!silent) far.write(data)
  })
  far.on('data', (data) => {
    silent ||= state.mode === 'swallow'
    if (!cutting) return silent || near.write(data)
    state.cuts -= 1
    near.destroy()
    return far.destroy()
  })
  near.on('close', () => far.destroy())
  far.on('error', () => near.destroy()).on('close', () => near.destroy())
}

import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A TCP proxy with faults that tests switch on. */
export interface ChaosProxy extends AsyncDisposable {
  /** The address of the server, through the proxy. */
  readonly url: string
  /** Maximum bytes of each packet to the client. */
  slice: number | undefined
  /** Milliseconds before each chunk, in both directions. */
  latencyMs: number
  /** Whether the proxy accepts all data, forwards none and never closes, as a half-open peer does. */
  blackhole: boolean
  /** Whether the proxy accepts no connection. */
  down: boolean
  /** Resolves when the client has sent a text. */
  sent(text: string): Promise<void>
  /** Resets every connection. */
  cut(): void
  /** Resets the connection on which the client sent data last. */
  cutLast(): void
}

export async function openChaosProxy(target: string): Promise<ChaosProxy> {
  const { hostname, port, pathname } = new URL(target)
  const live = new Set<Socket>()
  let last: Socket | undefined
  let sentByClient = ''
  const arrivals = new Set<() => void>()

  const server = createServer(client => {
    if (proxy.down) return void client.resetAndDestroy()
    const upstream = connect(Number(port), hostname)
    for (const socket of [client, upstream]) {
      live.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => {})
      socket.on('close', () => live.delete(socket))
    }
    client.on('data', chunk => {
      last = client
      sentByClient += chunk.toString()
      for (const check of arrivals) check()
    })
    forward(client, upstream, () => undefined)
    forward(upstream, client, () => proxy.slice)
  })

  function forward(from: Socket, to: Socket, slice: () => number | undefined): void {
    let queue = Promise.resolve()
    async function pass(chunk: Buffer): Promise<void> {
      if (proxy.latencyMs > 0) await new Promise(resolve => setTimeout(resolve, proxy.latencyMs))
      const size = slice() ?? chunk.length
      for (let at = 0; at < chunk.length; at += size) {
        if (proxy.blackhole || to.destroyed) return
        to.write(chunk.subarray(at, at + size))
        if (size < chunk.length) await new Promise(resolve => setImmediate(resolve))
      }
    }
    from.on('data', (chunk: Buffer) => void (queue = queue.then(() => pass(chunk))))
    from.on('close', () => {
      if (!proxy.blackhole) void queue.then(() => to.end())
    })
  }

  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const proxy: ChaosProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`,
    slice: undefined,
    latencyMs: 0,
    blackhole: false,
    down: false,
    sent: text =>
      new Promise(resolve => {
        const check = (): void => {
          if (!sentByClient.includes(text)) return
          arrivals.delete(check)
          resolve()
        }
        arrivals.add(check)
        check()
      }),
    cut() {
      for (const socket of live) socket.resetAndDestroy()
    },
    cutLast() {
      last?.resetAndDestroy()
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise(resolve => server.close(resolve))
      for (const socket of live) socket.destroy()
      await closed
    },
  }
  return proxy
}

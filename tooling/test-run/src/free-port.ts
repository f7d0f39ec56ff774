import { createServer } from 'node:net'

const [first, last] = [20_000, 32_000]

/**
 * Finds a port without a listener, below the range from which the system takes ports for connections and for port 0. So only
 * another caller of such a function can take the port before it is used.
 */
// Steady: the server reads its port from its configuration.
export async function freePort(): Promise<number> {
  for (;;) {
    const probe = createServer()
    const port = first + Math.floor(Math.random() * (last - first))
    const isFree = await new Promise<boolean>(resolve => {
      probe.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
    })
    await new Promise(resolve => probe.close(resolve))
    if (isFree) return port
  }
}

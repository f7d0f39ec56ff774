import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

/** Starts the published server-everything behind a URL. */
export async function openEverything(transport: 'http' | 'sse'): Promise<{ readonly url: string } & AsyncDisposable> {
  const path = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'))
  const port = await freePort()
  const child = spawn(process.execPath, [path, transport === 'http' ? 'streamableHttp' : 'sse'], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  await new Promise<void>(resolve => {
    const onText = (chunk: Buffer): void => {
      if (chunk.includes(String(port))) resolve()
    }
    child.stdout.on('data', onText)
    child.stderr.on('data', onText)
  })
  return {
    url: `http://127.0.0.1:${port}/${transport === 'http' ? 'mcp' : 'sse'}`,
    async [Symbol.asyncDispose]() {
      const gone = new Promise(resolve => child.once('exit', resolve))
      child.kill('SIGKILL')
      await gone
    },
  }
}

const [first, last] = [20_000, 32_000]

/**
 * Finds a port without a listener, below the range from which the system takes ports for connections and for port 0. So only
 * another caller of such a function can take the port before it is used.
 */
// Steady: the server reads its port from its configuration.
async function freePort(): Promise<number> {
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

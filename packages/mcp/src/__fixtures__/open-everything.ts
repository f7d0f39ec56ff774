import { freePort } from '@parley-tooling/test-run/free-port'
import { spawn } from 'node:child_process'
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

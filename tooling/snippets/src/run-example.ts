import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The result of running an example. */
export interface ExampleResult {
  /** Exit code of the example. `undefined` if the example was killed after `timeoutMs`. */
  readonly exitCode: number | undefined
  /** The lines of standard output. */
  readonly output: readonly string[]
  readonly errors: string
}

export interface RunExampleOptions {
  /** Time in milliseconds after which the example is killed. @default 45000 */
  readonly timeoutMs?: number | undefined
}

const REFUSE_NETWORK = fileURLToPath(new URL('refuse-network.ts', import.meta.url))

/**
 * Runs an example in its own process and in an empty folder, with the sources of the packages. The example can reach
 * only this machine, and it has no environment variables that could contain a key.
 */
export async function runExample(path: string, { timeoutMs = 45_000 }: RunExampleOptions = {}): Promise<ExampleResult> {
  const cwd = await mkdtemp(join(tmpdir(), 'parley-example-'))
  try {
    const args = ['--conditions=@parley/source', '--import', REFUSE_NETWORK, path]
    // Without the cache, each example strips the types of the sources again.
    const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
    const env = { PATH, NODE_COMPILE_CACHE, HOME: cwd, TMPDIR: cwd, NO_COLOR: '1' }
    const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
    const [output, errors, exitCode] = await Promise.all([
      readAll(child.stdout),
      readAll(child.stderr),
      new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve)),
    ])
    clearTimeout(timer)
    const lines = output === '' ? [] : output.replace(/\n$/, '').split('\n')
    return { exitCode: exitCode ?? undefined, output: lines, errors }
  } finally {
    await rm(cwd, { recursive: true, force: true })
  }
}

async function readAll(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

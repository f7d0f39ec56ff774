import { freePort } from '@parley-tooling/test-run/free-port'
import { execFile, spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { findRuntime, type RuntimeName } from './find-runtime.ts'
import { installPrograms } from './install-programs.ts'

export interface PlatformProgram {
  /** Folder of the program, with the packages that it imports in reach. */
  readonly folder: string
  /** A file that prints one line. */
  readonly main: string
  /** A file whose default export answers a request with the same line, as workerd and other edge runtimes call it. */
  readonly worker: string
  /** The line. */
  readonly expected: string
}

export interface PlatformReport {
  readonly ran: readonly string[]
  /** Platforms without a binary for this machine. */
  readonly skipped: readonly string[]
  readonly problems: readonly string[]
}

const run = promisify(execFile)

/** Bundles a program for the web, and runs it in Bun, Deno and workerd. A bundle for browsers imports no Node.js module. */
export async function runOnPlatforms(program: PlatformProgram): Promise<PlatformReport> {
  await installPrograms()
  const { folder, main, worker, expected } = program
  const ran: string[] = []
  const skipped: string[] = []
  const problems: string[] = []
  const check = async (name: string, print: () => Promise<string>): Promise<void> => {
    try {
      const printed = (await print()).trim()
      ran.push(name)
      if (printed !== expected) problems.push(`${name} prints '${printed}' instead of '${expected}'`)
    } catch (error) {
      problems.push(`${name} does not run the program: ${String(error)}`)
    }
  }
  const checkRuntime = async (name: RuntimeName, print: (binary: string) => Promise<string>): Promise<void> => {
    const binary = findInstalled(name)
    if (binary === undefined) skipped.push(name)
    else await check(name, () => print(binary))
  }
  await check('a bundle for browsers', async () => {
    const file = await bundle(join(folder, main), 'browser')
    // Node.js runs it too, because it has the APIs of the web that the bundle uses.
    return (await run(process.execPath, [file])).stdout
  })
  await checkRuntime('bun', async bun => (await run(bun, ['run', join(folder, main)], { cwd: folder })).stdout)
  await checkRuntime('deno', async deno => {
    const file = await bundle(join(folder, main), 'neutral')
    return (await run(deno, ['run', '--allow-env', file], { env: { ...process.env, NO_COLOR: '1' } })).stdout
  })
  await checkRuntime('workerd', async workerd => askWorker(workerd, await bundle(join(folder, worker), 'neutral')))
  return { ran, skipped, problems }
}

function findInstalled(name: RuntimeName): string | undefined {
  try {
    return findRuntime(name)
  } catch {
    return undefined
  }
}

/** Fails if the program, or a package that it imports, imports a Node.js module. */
async function bundle(entry: string, platform: 'browser' | 'neutral'): Promise<string> {
  const outfile = `${entry.replace(/\.ts$/, '')}.${platform}.mjs`
  const mainFields = ['module', 'main']
  const given = { bundle: true, format: 'esm', target: 'es2022', logLevel: 'silent', mainFields } as const
  await build({ ...given, platform, entryPoints: [entry], outfile, conditions: ['import'] })
  return outfile
}

/** Serves a module with workerd until it has answered one request. */
async function askWorker(workerd: string, file: string): Promise<string> {
  const port = await freePort()
  const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (modules = [(name = "worker", esModule = embed "${file.split('/').at(-1)}")], compatibilityDate = "2026-01-01"))],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")]
);
`
  const path = `${file}.capnp`
  await writeFile(path, config)
  const server = spawn(workerd, ['serve', path], { stdio: ['ignore', 'ignore', 'pipe'] })
  let errors = ''
  server.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  try {
    for (let attempt = 0; attempt < 100 && server.exitCode === null; attempt += 1) {
      const response = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)
      if (response?.ok === true) return await response.text()
      if (response !== undefined) break
      await sleep(100)
    }
    throw new Error(errors || 'workerd does not answer')
  } finally {
    server.kill()
  }
}

import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { bundleCli } from './bundle-cli.ts'

export interface Finished {
  readonly code: number | null
  readonly out: string
  readonly error: string
}

/** The `parley` command in a temporary directory. */
export interface Cli extends AsyncDisposable {
  readonly dir: string
  /** Runs the command until it exits. */
  run(...args: string[]): Promise<Finished>
  /** Starts the command. `ended` resolves when the process has exited for any reason. */
  start(...args: string[]): { readonly child: ChildProcess; readonly ended: Promise<Finished> }
}

export interface CliOptions {
  readonly environment?: Readonly<Record<string, string>> | undefined
  readonly input?: string | undefined
  /** Whether the sources run instead of the bundle, so that each module can be seen. @default false */
  readonly isUnbundled?: boolean | undefined
}

const SOURCES = join(import.meta.dirname, '../bin.ts')

export async function openCli({ environment = {}, input, isUnbundled = false }: CliOptions = {}): Promise<Cli> {
  const program = isUnbundled ? SOURCES : await bundleCli()
  const dir = await mkdtemp(join(tmpdir(), 'parley-cli-'))
  // Without the cache, each process compiles the program again.
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env
  const children = new Set<ChildProcess>()

  function start(...args: string[]) {
    const child = spawn(process.execPath, ['--conditions=@parley/source', program, ...args], {
      cwd: dir,
      env: { PATH, HOME, NODE_COMPILE_CACHE, ...environment },
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    })
    children.add(child)
    child.stdin?.end(input)
    const { stdout, stderr } = child
    const closed = new Promise<number | null>(resolve => child.once('close', resolve))
    const ended = Promise.all([closed, stdout === null ? '' : text(stdout), stderr === null ? '' : text(stderr)])
    return { child, ended: ended.then(([code, out, error]) => ({ code, out, error })) }
  }
  return {
    dir,
    start,
    run: (...args) => start(...args).ended,
    async [Symbol.asyncDispose]() {
      for (const child of children) child.kill('SIGKILL')
      await rm(dir, { recursive: true, force: true })
    },
  }
}

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface Child extends AsyncDisposable {
  /** Starts the work of the script. A loaded script waits for this call. */
  start(): void
  /** Lines that the script has printed. */
  readonly lines: readonly string[]
  /** Resolves after the script has printed `count` lines. */
  printed(count: number): Promise<void>
  /** Resolves with the exit code after the process has ended. */
  readonly exited: Promise<number | null>
  kill(): void
}

export interface ChildOptions {
  readonly args: readonly string[]
  readonly uid?: number | undefined
}

/** Runs a script, or a bundle at a path, in a child process, which is killed at the end of the test. */
export function openChild(script: URL | string, { args, uid }: ChildOptions): Child {
  const options = ['--conditions=@parley/source', typeof script === 'string' ? script : fileURLToPath(script)]
  const child: ChildProcess = spawn(process.execPath, [...options, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    ...(uid === undefined ? {} : { uid }),
  })
  const lines: string[] = []
  let rest = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = `${rest}${chunk}`.split('\n')
    rest = parts.pop() ?? ''
    lines.push(...parts)
    child.emit('lines')
  })
  const exited = once(child, 'close').then(([code]) => code as number | null)
  return {
    lines,
    exited,
    start: () => {
      child.stdin?.end('go\n')
    },
    printed: async count => {
      while (lines.length < count) await Promise.race([once(child, 'lines'), exited.then(code => ended(code, lines))])
    },
    kill: () => {
      child.kill('SIGKILL')
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL')
      await exited
    },
  }
}

function ended(code: number | null, lines: readonly string[]): never {
  throw new Error(`the child ended with ${code} after ${lines.length} lines`)
}

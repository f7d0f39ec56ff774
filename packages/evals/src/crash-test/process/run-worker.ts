import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ParleyError, type ErrorInfo } from '@parley/core'
import type { Mark } from './mark.ts'
import type { ModuleContents, WorkOrder } from './work-order.ts'

/** A program that calls `runCrashWorker`: its file, or the arguments that Node.js gets. */
export type WorkerProgram = string | URL | readonly string[]

/** How a process ended, and what it wrote down. */
export interface WorkerEnd {
  readonly marks: readonly Mark[]
  /** Whether it killed itself at the point of its order. */
  readonly wasKilled: boolean
  /** Whether it was stopped because it did not end. */
  readonly isStuck: boolean
}

export interface RunWorkerOptions {
  readonly program: WorkerProgram
  readonly order: WorkOrder
  /** Path at which the order is written. */
  readonly orderFile: string
  readonly signal: AbortSignal | undefined
  readonly environment: NodeJS.ProcessEnv
}

/** Runs one process until it ends or dies. @throws ParleyError `internal` with its output, if it fails before it marks anything. */
export async function runWorker(options: RunWorkerOptions): Promise<WorkerEnd> {
  const { isStuck, output } = await runProcess(options)
  const marks = readMarks(options.order.out)
  if (!marks.some(({ type }) => type === 'loaded') && !isStuck)
    throw new ParleyError({ code: 'internal', detail: `a process of the crash test failed: ${lastLines(output)}` })
  return { marks, isStuck, wasKilled: marks.at(-1)?.type === 'kill' }
}

/** Lists the agents of a module. @throws ParleyError with the error of the module. */
export async function listModule(options: RunWorkerOptions): Promise<ModuleContents> {
  const { output } = await runProcess(options)
  const { out, module } = options.order
  if (!existsSync(out)) throw new ParleyError({ code: 'file-unreadable', path: module, detail: lastLines(output) })
  const listed = JSON.parse(readFileSync(out, 'utf8')) as { contents?: ModuleContents; error?: ErrorInfo }
  if (listed.error !== undefined) throw new ParleyError(listed.error)
  return listed.contents ?? { agents: [], hasWorld: false }
}

async function runProcess({ program, order, orderFile, signal, environment }: RunWorkerOptions) {
  signal?.throwIfAborted()
  writeFileSync(orderFile, JSON.stringify(order))
  const inherited = process.execArgv.filter(each => !each.startsWith('--inspect'))
  const args = typeof program === 'string' ? [program] : program instanceof URL ? [fileURLToPath(program)] : program
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...inherited, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...environment, PARLEY_CRASH_ORDER: orderFile, PARLEY_CRASH_LEDGER: order.ledger },
  })
  let output = ''
  let isStuck = false
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output = (output + chunk).slice(-4_000)
    })
  const stop = (): void => void child.kill('SIGKILL')
  signal?.addEventListener('abort', stop, { once: true })
  const timer = setTimeout(() => {
    isStuck = true
    stop()
  }, order.timeoutMs)
  try {
    // Not `close`: a program that a tool started may hold the pipes for longer than the process lives.
    await once(child, 'exit')
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
    child.stdout.destroy()
    child.stderr.destroy()
  }
  signal?.throwIfAborted()
  return { isStuck, output }
}

function readMarks(path: string): readonly Mark[] {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.filter(line => line !== '').map(line => JSON.parse(line) as Mark)
}

function lastLines(output: string): string {
  return output.trim().split('\n').slice(-6).join(' ').slice(0, 800) || 'it wrote nothing'
}

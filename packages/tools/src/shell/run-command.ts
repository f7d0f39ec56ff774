import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { constants } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { createOutputCollector, type CollectedOutput } from './collect-output.ts'
import { isAnyAlive, MARK, signalAll, startOf, killOnExit, type CommandProcesses } from './command-processes.ts'
import type { ResourceLimits } from './shell-policy.ts'

export interface RunCommandOptions {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly environment: Readonly<Record<string, string>>
  readonly limits: ResourceLimits
  /** Command that runs the program in a sandbox or in its own network namespace. Empty for none. */
  readonly isolation: readonly string[]
  /** Whether `isolation` is a sandbox, which must end last. @default false */
  readonly isSandboxed?: boolean | undefined
  readonly timeoutMs: number
  /** Milliseconds between SIGTERM and SIGKILL. */
  readonly graceMs: number
  /** Maximum bytes kept of each stream. */
  readonly maxOutputBytes: number
  readonly signal: AbortSignal
  readonly onOutput: (stream: 'stdout' | 'stderr', chunk: Buffer) => void
}

export interface CommandResult {
  readonly stdout: CollectedOutput
  readonly stderr: CollectedOutput
  readonly exitCode: number | undefined
  /** The signal that ended the program. */
  readonly endedBy: string | undefined
  readonly timedOut: boolean
  readonly durationMs: number
}

/**
 * Runs a program to its end in its own process group. No shell interprets its arguments. When this returns or throws, all
 * processes that the program started have ended.
 * @throws An error if the program cannot be started, and the reason of the signal if it is aborted.
 */
export async function runCommand(options: RunCommandOptions): Promise<CommandResult> {
  const { cwd, environment, timeoutMs, maxOutputBytes, signal, onOutput, isSandboxed = false } = options
  signal.throwIfAborted()
  const mark = randomUUID()
  const [file = '', ...args] = toArguments(options)
  const startedAt = performance.now()
  const child = spawn(file, args, {
    cwd,
    env: { ...environment, [MARK]: mark },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  })
  const stdout = createOutputCollector(maxOutputBytes)
  const stderr = createOutputCollector(maxOutputBytes)
  child.stdout.on('data', (chunk: Buffer) => {
    stdout.push(chunk)
    onOutput('stdout', chunk)
  })
  child.stderr.on('data', (chunk: Buffer) => {
    stderr.push(chunk)
    onOutput('stderr', chunk)
  })
  const closed = new Promise<void>(resolve => child.once('close', () => resolve()))
  const { pid } = child
  // The process still exists, if only as a zombie: it is collected by the event loop.
  const processStart = pid === undefined ? 0 : startOf(pid)
  const releaseGroup = pid === undefined ? () => {} : killOnExit(pid)
  const end = await endOf(child, timeoutMs, signal)
  if (end === 'failed' || pid === undefined) throw new Error(`cannot start ${options.program}`)
  await endAll({ group: pid, mark, startedAt: processStart, isSandboxed }, end === 'exit' ? 0 : options.graceMs)
  releaseGroup()
  // Ended processes hold no pipe open. Only a process that could not be killed would delay `close`.
  await Promise.race([closed, delay(1_000, undefined, { ref: false })])
  child.stdout.destroy()
  child.stderr.destroy()
  if (end === 'abort') throw signal.reason
  return {
    stdout: stdout.end(),
    stderr: stderr.end(),
    ...(isSandboxed && child.exitCode !== null ? insideEnding(child.exitCode) : ownEnding(child)),
    timedOut: end === 'timeout',
    durationMs: Math.round(performance.now() - startedAt),
  }
}

type Ending = Pick<CommandResult, 'exitCode' | 'endedBy'>

function ownEnding({ exitCode, signalCode }: ChildProcess): Ending {
  return { exitCode: exitCode ?? undefined, endedBy: signalCode ?? undefined }
}

/**
 * Returns how the program in a sandbox ended. If a signal ended the program, the sandbox exits with 128 plus the number
 * of the signal.
 */
function insideEnding(exitCode: number): Ending {
  const endedBy = Object.entries(constants.signals).find(([, number]) => number === exitCode - 128)?.[0]
  return endedBy === undefined ? { exitCode, endedBy } : { exitCode: undefined, endedBy }
}

type End = 'exit' | 'timeout' | 'abort' | 'failed'

async function endOf(child: ChildProcess, timeoutMs: number, signal: AbortSignal): Promise<End> {
  const { promise, resolve } = Promise.withResolvers<End>()
  const timer = setTimeout(() => resolve('timeout'), timeoutMs)
  const onAbort = (): void => resolve('abort')
  signal.addEventListener('abort', onAbort, { once: true })
  child.once('exit', () => resolve('exit'))
  child.once('error', () => resolve('failed'))
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}

/** Sends SIGTERM to all processes of a command, then SIGKILL until none is left. */
async function endAll(command: CommandProcesses, graceMs: number): Promise<void> {
  if (graceMs > 0) {
    await signalAll(command, 'SIGTERM')
    const until = performance.now() + graceMs
    while (performance.now() < until && (await isAnyAlive(command))) await delay(20)
  }
  for (let round = 0; round < MAX_ROUNDS && (await isAnyAlive(command)); round++) {
    await signalAll(command, 'SIGKILL')
    await delay(10)
  }
}

/** Largest number of rounds of SIGKILL. A process that survives them hangs in the kernel. */
const MAX_ROUNDS = 200

/** Builds a command in which `sh` sets the limits and then replaces itself with the program. The `sh` script does not interpret the arguments. */
export function toArguments({ program, args, limits, isolation }: RunCommandOptions): readonly string[] {
  const { cpuSeconds, memoryBytes, fileBytes } = limits
  const settings = [
    ...(cpuSeconds === undefined ? [] : [`ulimit -t ${Math.ceil(cpuSeconds)}`]),
    ...(memoryBytes === undefined ? [] : [`ulimit -v ${Math.ceil(memoryBytes / 1_024)}`]),
    ...(fileBytes === undefined ? [] : [`ulimit -f ${Math.ceil(fileBytes / 512)}`]),
    'ulimit -c 0',
  ]
  if (process.platform === 'win32') return [program, ...args]
  // `ulimit` fails if the existing limit is tighter. The program then runs under that limit.
  const script = `${settings.map(setting => `${setting} 2>/dev/null`).join('; ')}; exec "$@"`
  return [...isolation, '/bin/sh', '-c', script, 'sh', program, ...args]
}

import { settlesWithin } from '@parley/core'
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { groupIsRunning, signalGroup } from './process-group.ts'
import { guardProcessGroup } from './guard-process-group.ts'
import type { McpStopReport } from './server-link.ts'
import { createTextTail } from './text-tail.ts'

/** A server's process. It leads its own process group. */
export interface ServerProcess {
  readonly pid: number
  readonly stdin: ChildProcessWithoutNullStreams['stdin']
  readonly stdout: ChildProcessWithoutNullStreams['stdout']
  /** Returns the last 4 KiB that the process wrote to stderr. */
  readonly stderr: () => string
  /** Resolves once the process has exited and its output was read. Other processes of its group may run until `stop`. */
  readonly ended: Promise<ProcessEnd>
  /**
   * Closes stdin, waits `graceMs`, sends SIGTERM to the group, waits `graceMs`, sends SIGKILL to it. Idempotent.
   * @param graceMs @default 2_000
   */
  readonly stop: (graceMs?: number) => Promise<McpStopReport>
}

export interface ProcessEnd {
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
}

export interface ServerProcessOptions {
  readonly command: string
  readonly args: readonly string[]
  /** The whole environment: nothing else is inherited. */
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string | undefined
}

const STDERR_BYTES = 4096
const DRAIN_MS = 200
const POLL_MS = 20

/** Starts a server. Resolves to a sentence if it cannot be started. */
export async function openServerProcess({
  command,
  args,
  env,
  cwd,
}: ServerProcessOptions): Promise<ServerProcess | string> {
  // For a missing directory, Node reports that the command is missing.
  if (cwd !== undefined && !existsSync(cwd)) return `its working directory ${cwd} does not exist`
  const child = spawn(command, args, { cwd, env, detached: process.platform !== 'win32', stdio: 'pipe' })
  const pid = await new Promise<number | string>(resolve => {
    child.once('spawn', () => resolve(child.pid ?? -1))
    child.once('error', (error: NodeJS.ErrnoException) => resolve(spawnFailure(command, env, error)))
  })
  return typeof pid === 'string' ? pid : watchProcess(child, pid)
}

function spawnFailure(
  command: string,
  env: Readonly<Record<string, string>>,
  { code, message }: NodeJS.ErrnoException,
): string {
  // The system reports EACCES for a missing program if it may not search a directory of PATH.
  const isOnPath =
    command.includes('/') || (env['PATH'] ?? '').split(delimiter).some(one => existsSync(join(one, command)))
  if (code === 'ENOENT' || (code === 'EACCES' && !isOnPath))
    return `the program '${command}' was not found as a file or on PATH`
  return `'${command}' cannot be started: ${message}`
}

function watchProcess(child: ChildProcessWithoutNullStreams, pid: number): ServerProcess {
  const unguard = guardProcessGroup(pid)
  const tail = createTextTail({ maxBytes: STDERR_BYTES })
  child.stderr.on('data', (chunk: Buffer) => tail.push(chunk))
  for (const stream of [child.stdin, child.stdout, child.stderr, child]) stream.on('error', () => {})

  const exited = new Promise<ProcessEnd>(resolve => {
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }))
  })
  const closed = new Promise<void>(resolve => child.once('close', () => resolve()))
  // A grandchild that holds the pipes open would delay 'close' forever.
  const ended = exited.then(end => settlesWithin(closed, DRAIN_MS).then(() => end))

  async function stop(graceMs: number): Promise<McpStopReport> {
    const outcome = await stopGroup({ child, pid, exited, graceMs })
    unguard()
    const { exitCode, signal } = await ended
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy()
    return { outcome, exitCode: exitCode ?? undefined, signal: signal ?? undefined }
  }

  let stopping: Promise<McpStopReport> | undefined
  return {
    pid,
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: tail.text,
    ended,
    stop: (graceMs = 2_000) => (stopping ??= stop(graceMs)),
  }
}

interface StopGroupOptions {
  readonly child: ChildProcessWithoutNullStreams
  readonly pid: number
  readonly exited: Promise<ProcessEnd>
  readonly graceMs: number
}

async function stopGroup({ child, pid, exited, graceMs }: StopGroupOptions): Promise<McpStopReport['outcome']> {
  child.stdin.end()
  await settlesWithin(exited, graceMs)
  if (!groupIsRunning(pid)) return 'exited'
  signalGroup(pid, 'SIGTERM')
  if (await groupGone(pid, graceMs)) return 'terminated'
  signalGroup(pid, 'SIGKILL')
  await exited
  await groupGone(pid, graceMs)
  return 'killed'
}

async function groupGone(pid: number, ms: number): Promise<boolean> {
  for (const deadline = performance.now() + ms; performance.now() < deadline;) {
    if (!groupIsRunning(pid)) return true
    await new Promise(resolve => setTimeout(resolve, POLL_MS))
  }
  return !groupIsRunning(pid)
}

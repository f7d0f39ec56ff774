import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'

/**
 * Environment variable that marks all processes of one command. Children inherit it, even in a session of their own.
 */
export const MARK = 'PARLEY_COMMAND'

/** The processes of one command: its process group, and processes that left the group but still have the mark. */
export interface CommandProcesses {
  readonly group: number
  readonly mark: string
  /** Start of the first process, from `startOf`. */
  readonly startedAt: number
  /** Whether a sandbox runs the command. @default false */
  readonly isSandboxed?: boolean
}

/** Sends a signal to all processes of a command. */
export async function signalAll(command: CommandProcesses, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  // If the sandbox ended first, the system would kill the processes in it before they could end by themselves.
  const spares = command.isSandboxed === true && signal === 'SIGTERM'
  if (!spares) send(-command.group, signal)
  for (const pid of await processesOf(command)) {
    if (!spares || !(await isSandbox(pid))) send(pid, signal)
  }
}

async function isSandbox(pid: number): Promise<boolean> {
  return (await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')) === 'bwrap\n'
}

function send(target: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(target, signal)
  } catch {
    // The process has already ended.
  }
}

const groups = new Set<number>()

/** Kills a process group when this process exits. The returned function cancels that. */
export function killOnExit(group: number): () => void {
  if (groups.size === 0) process.once('exit', endGroups)
  groups.add(group)
  return () => {
    groups.delete(group)
    if (groups.size === 0) process.removeListener('exit', endGroups)
  }
}

function endGroups(): void {
  for (const group of groups) send(-group, 'SIGKILL')
}

/** Returns whether any process of a command still runs. */
export async function isAnyAlive(command: CommandProcesses): Promise<boolean> {
  if (process.platform === 'linux') return (await processesOf(command)).length > 0
  try {
    process.kill(-command.group, 0)
    return true
  } catch {
    return false
  }
}

/**
 * Returns when a process started, in clock ticks since the system started. 0 on systems other than Linux, and if the process does not
 * exist.
 */
export function startOf(pid: number): number {
  return process.platform === 'linux' ? (readStat(pid)?.startedAt ?? 0) : 0
}

/** Returns the running processes of a command. Empty on systems other than Linux, which do not list them in `/proc`. */
async function processesOf(command: CommandProcesses): Promise<readonly number[]> {
  if (process.platform !== 'linux') return []
  const pids = readdirSync('/proc')
    .map(Number)
    .filter(pid => pid > 0 && pid !== process.pid)
  const found = await Promise.all(pids.map(pid => belongsTo(pid, command)))
  return pids.filter((_, index) => found[index])
}

async function belongsTo(pid: number, { group, mark, startedAt }: CommandProcesses): Promise<boolean> {
  const stat = readStat(pid)
  // Most processes of a machine are older than the command, and cannot belong to it.
  if (stat === undefined || stat.startedAt < startedAt) return false
  if (stat.group === group) return true
  const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '')
  return environment.split('\0').includes(`${MARK}=${mark}`)
}

interface ProcessStat {
  readonly group: number
  readonly startedAt: number
}

/** Reads facts of a process that has not ended. The kernel makes the file in memory, so a synchronous read never waits for a disk. */
function readStat(pid: number): ProcessStat | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The fields after the name in parentheses: the first is the state, the third the group, and the twentieth the start.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // A zombie (Z) has ended and only waits for its parent to collect it.
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined
    return { group: Number(fields[2]), startedAt: Number(fields[19]) }
  } catch {
    return undefined
  }
}

import { readdir, readFile } from 'node:fs/promises'

/**
 * Environment variable that marks all processes of one command. Children inherit it, even in a session of their own.
 */
export const MARK = 'PARLEY_COMMAND'

/** The processes of one command: its process group, and processes that left the group but still have the mark. */
export interface CommandProcesses {
  readonly group: number
  readonly mark: string
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

/** Returns the running processes of a command. Empty on systems other than Linux, which do not list them in `/proc`. */
async function processesOf({ group, mark }: CommandProcesses): Promise<readonly number[]> {
  if (process.platform !== 'linux') return []
  const names = (await readdir('/proc')).filter(name => /^\d+$/.test(name) && name !== String(process.pid))
  const found = await Promise.all(
    names.map(async name => ((await belongsTo(name, { group, mark })) ? [Number(name)] : [])),
  )
  return found.flat()
}

async function belongsTo(pid: string, { group, mark }: CommandProcesses): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '')
  // `/proc/PID/stat` has state, parent and group after the name in parentheses.
  const [state = 'X', , processGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  // A zombie (Z) has ended and only waits for its parent to collect it.
  if (stat === '' || state === 'Z' || state === 'X') return false
  if (processGroup === String(group)) return true
  const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '')
  return environment.split('\0').includes(`${MARK}=${mark}`)
}

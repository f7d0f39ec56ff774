import { readdir, readFile } from 'node:fs/promises'

/** Marks all processes of one command, wherever they hide: children inherit the variable. */
export const MARK = 'PARLEY_COMMAND'

/** The processes of one command: its group, and what has left the group but still bears the mark. */
export interface CommandProcesses {
  readonly group: number
  readonly mark: string
}

/** Sends a signal to all processes of a command. */
export async function signalAll(command: CommandProcesses, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  send(-command.group, signal)
  for (const pid of await processesOf(command)) send(pid, signal)
}

function send(target: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(target, signal)
  } catch {
    // It is gone already.
  }
}

const groups = new Set<number>()

/** Takes a group along when this process ends, until the returned function is called. */
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

/** Whether anything of a command still runs. */
export async function isAnyAlive(command: CommandProcesses): Promise<boolean> {
  if (process.platform === 'linux') return (await processesOf(command)).length > 0
  try {
    process.kill(-command.group, 0)
    return true
  } catch {
    return false
  }
}

/** What runs of a command, as far as the system shows it (Linux). */
async function processesOf({ group, mark }: CommandProcesses): Promise<readonly number[]> {
  if (process.platform !== 'linux') return []
  const names = (await readdir('/proc')).filter(name => /^\d+$/.test(name) && name !== String(process.pid))
  const found = await Promise.all(names.map(async name => ((await isOf(name, { group, mark })) ? [Number(name)] : [])))
  return found.flat()
}

async function isOf(pid: string, { group, mark }: CommandProcesses): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '')
  // After the name in parentheses: state, parent, group.
  const [state = 'X', , processGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  // What has ended and waits for its parent to notice runs no more.
  if (stat === '' || state === 'Z' || state === 'X') return false
  if (processGroup === String(group)) return true
  const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '')
  return environment.split('\0').includes(`${MARK}=${mark}`)
}

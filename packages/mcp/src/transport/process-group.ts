import { readFileSync, readdirSync } from 'node:fs'

/**
 * Sends a signal to the process group that `pid` leads. Windows has no process groups, so there it sends the signal
 * only to the process itself.
 * @returns Whether a process received it. Signal 0 only checks whether a process exists.
 */
export function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal)
    return true
  } catch {
    return false
  }
}

/**
 * Whether a process of the group that `pid` leads is still running. Zombies do not count: if the first process of a
 * container reaps no orphans, they stay until the container ends.
 */
export function groupIsRunning(pid: number): boolean {
  if (!signalGroup(pid, 0)) return false
  if (process.platform !== 'linux') return true
  return readdirSync('/proc').some(entry => /^\d+$/.test(entry) && runsInGroup(entry, pid))
}

function runsInGroup(entry: string, group: number): boolean {
  try {
    const stat = readFileSync(`/proc/${entry}/stat`, 'utf8')
    // The second field is the program's name in parentheses. It may hold any character.
    const [state, , processGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return Number(processGroup) === group && state !== 'Z' && state !== 'X'
  } catch {
    return false
  }
}

import { readFileSync, readdirSync } from 'node:fs'

/**
 * Sends a signal to the process group that `pid` leads (on Windows, which has none, to the process).
 * @returns Whether anybody was there to receive it. Signal 0 only asks.
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
 * Whether a process of the group that `pid` leads still runs. Dead ones that nobody has reaped do not count: in a
 * container whose first process reaps no orphans they stay for good.
 */
export function groupIsRunning(pid: number): boolean {
  if (!signalGroup(pid, 0)) return false
  if (process.platform !== 'linux') return true
  return readdirSync('/proc').some(entry => /^\d+$/.test(entry) && runsInGroup(entry, pid))
}

function runsInGroup(entry: string, group: number): boolean {
  try {
    const stat = readFileSync(`/proc/${entry}/stat`, 'utf8')
    // The second field is the program's name, in parentheses, and may hold anything.
    const [state, , processGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return Number(processGroup) === group && state !== 'Z' && state !== 'X'
  } catch {
    return false
  }
}

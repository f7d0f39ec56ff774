import { signalGroup } from './process-group.ts'

const FATAL_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

const groups = new Set<number>()

/**
 * Kills the group when this process exits, and when SIGINT, SIGTERM or SIGHUP would end this process. If the host handles
 * the signal itself, the group is killed at exit only.
 * @returns A function that stops guarding.
 */
export function guardProcessGroup(pid: number): () => void {
  if (groups.size === 0) {
    process.on('exit', killGroups)
    for (const signal of FATAL_SIGNALS) process.on(signal, onFatalSignal)
  }
  groups.add(pid)
  return () => {
    if (!groups.delete(pid) || groups.size > 0) return
    process.off('exit', killGroups)
    for (const signal of FATAL_SIGNALS) process.off(signal, onFatalSignal)
  }
}

function killGroups(): void {
  for (const pid of groups) signalGroup(pid, 'SIGKILL')
}

function onFatalSignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return
  killGroups()
  // A signal listener disables Node's default action, so the signal is sent again without the listener.
  process.off(signal, onFatalSignal)
  process.kill(process.pid, signal)
}

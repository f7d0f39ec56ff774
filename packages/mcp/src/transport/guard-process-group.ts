import { signalGroup } from './process-group.ts'

const FATAL_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

const groups = new Set<number>()

/**
 * Sees to it that the group does not outlive this process: it is killed when the process exits, and when SIGINT,
 * SIGTERM or SIGHUP would end it. A host that handles the signal itself is left to it, and caught at its exit.
 * @returns The way to stop guarding.
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
  // Having listened must not change how the process dies.
  process.off(signal, onFatalSignal)
  process.kill(process.pid, signal)
}

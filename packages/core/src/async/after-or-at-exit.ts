/** Signals that end a process, unless the program listens for them. */
const SIGNALS = ['SIGINT', 'SIGTERM'] as const
type Signal = (typeof SIGNALS)[number]

/** What this file needs of Node.js, Deno and Bun. Browsers have none of it, and end without a notice. */
interface Platform {
  readonly process?: Partial<EndingProcess> | undefined
  readonly Deno?: { unrefTimer?(timer: unknown): void }
}

interface EndingProcess {
  readonly pid: number
  once(event: 'exit', listener: () => void): unknown
  prependListener(event: Signal, listener: (signal: Signal) => void): unknown
  removeListener(event: Signal, listener: (signal: Signal) => void): unknown
  listenerCount(event: Signal): number
  kill(pid: number, signal: Signal): unknown
}

/** The calls that are made when the process ends. */
const calls = new Set<() => void>()
let listens = false

/**
 * Calls `callback` once: after `ms` milliseconds, or when the process ends before, also by SIGINT or SIGTERM. The timer does not keep
 * the process alive, and a signal does what it would do without this call.
 * @returns A function that cancels the call.
 */
export function afterOrAtExit(ms: number, callback: () => void): () => void {
  const { process, Deno } = globalThis as Platform
  const cancel = (): void => {
    clearTimeout(timer)
    if (calls.delete(call) && calls.size === 0) forget(process)
  }
  const call = (): void => {
    cancel()
    callback()
  }
  const timer: ReturnType<typeof setTimeout> | number = setTimeout(call, ms)
  // Deno's timers and those of browsers are numbers.
  if (typeof timer === 'number') Deno?.unrefTimer?.(timer)
  else timer.unref()
  calls.add(call)
  if (calls.size === 1) watch(process)
  if (!listens) {
    listens = true
    process?.once?.('exit', callAll)
  }
  return cancel
}

function callAll(): void {
  for (const last of calls) last()
}

/** Listens for the signals as long as there are calls. A listener that comes first sees all others, also those that are called once. */
function watch(process: Platform['process']): void {
  if (raises(process)) for (const signal of SIGNALS) process.prependListener(signal, onSignal)
}

function forget(process: Platform['process']): void {
  if (raises(process)) for (const signal of SIGNALS) process.removeListener(signal, onSignal)
}

/** Makes the calls, which removes this listener. If it was the only one, the signal would have ended the process, so it is sent again. */
function onSignal(signal: Signal): void {
  const { process } = globalThis as Platform
  callAll()
  if (raises(process) && process.listenerCount(signal) === 0) process.kill(process.pid, signal)
}

/** Whether the platform can send a signal again: only then may this file listen for it. */
function raises(process: Platform['process']): process is EndingProcess {
  const { prependListener, removeListener, listenerCount, kill, pid } = process ?? {}
  const needed = [prependListener, removeListener, listenerCount, kill]
  return pid !== undefined && needed.every(method => method !== undefined)
}

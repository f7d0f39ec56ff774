/** What this file needs of the platform. Browsers have neither, and end without a notice. */
interface Platform {
  readonly process?: { once?(event: 'exit', listener: () => void): unknown }
  readonly Deno?: { unrefTimer?(timer: unknown): void }
}

/** The calls that are made when the process ends. */
const calls = new Set<() => void>()
let listens = false

/**
 * Calls `callback` once: after `ms` milliseconds, or when the process ends before. The timer does not keep the process alive.
 * @returns A function that cancels the call.
 */
export function afterOrAtExit(ms: number, callback: () => void): () => void {
  const { process, Deno } = globalThis as Platform
  const cancel = (): void => {
    clearTimeout(timer)
    calls.delete(call)
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
  if (!listens) {
    listens = true
    process?.once?.('exit', () => {
      for (const last of calls) last()
    })
  }
  return cancel
}

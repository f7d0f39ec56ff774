import type { RunInbox } from '@parley/core'

/** How a store learns what other processes put into inboxes, and tells them. */
export interface InboxSignals {
  /** Milliseconds between two looks while anybody watches. @default 250 */
  readonly everyMs?: number | undefined
  /** Whether a look could find anything that the one before did not. @default it always could */
  readonly mayHaveChanged?: (() => boolean) | undefined
  /** Listens while anybody watches: `tell` names a run, `look` is for what may have been missed. Returns the way to stop. */
  readonly listen?: ((hear: { tell(runId: string): void; look(): void }) => () => void) | undefined
  /** Called when something was put here. */
  readonly announce?: ((runId: string) => void) | undefined
}

/** Who wants to know which runs have something to read. */
export interface InboxWatch extends Pick<RunInbox, 'watch'> {
  tell(runId: string): void
}

export interface InboxWatchOptions extends Omit<InboxSignals, 'announce'> {
  /** Runs with items they have not taken. */
  readonly unread: () => Promise<readonly string[]>
}

/** Looks again and again while anybody watches. Keeps no process alive. */
export function createInboxWatch({
  unread,
  everyMs = 250,
  mayHaveChanged = () => true,
  listen,
}: InboxWatchOptions): InboxWatch {
  const listeners = new Set<(runId: string) => void>()
  let stop = (): void => {}

  function tell(runId: string): void {
    for (const listener of listeners) listener(runId)
  }

  /** Who cannot look now looks again. */
  function look(): void {
    unread().then(
      runs => runs.forEach(tell),
      () => {},
    )
  }

  /** A timer is nobody's caller: what fails here, fails again in the look, which tells nobody either. */
  function worthALook(): boolean {
    try {
      return mayHaveChanged()
    } catch {
      return true
    }
  }

  function start(): void {
    const timer = setInterval(() => {
      if (worthALook()) look()
    }, everyMs)
    timer.unref()
    const deafen = listen?.({ tell, look })
    stop = () => {
      clearInterval(timer)
      deafen?.()
    }
  }

  return {
    tell,
    watch: async listener => {
      // A listener that is given twice is told twice.
      const own = (runId: string): void => listener(runId)
      if (listeners.size === 0) start()
      listeners.add(own)
      return {
        [Symbol.asyncDispose]: async () => {
          if (listeners.delete(own) && listeners.size === 0) stop()
        },
      }
    },
  }
}

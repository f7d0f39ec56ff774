/** How a store notices commands that other processes put into inboxes, and announces its own. */
export interface InboxSignals {
  /** Milliseconds between two reads of the inboxes while a watch is open. @default 250 */
  readonly everyMs?: number | undefined
  /** Whether the inboxes may have changed since the last read. Returns false to skip a read. @default always true */
  readonly mayHaveChanged?: (() => boolean) | undefined
  /**
   * Listens for notices while a watch is open: `tell` reports a run, `look` reads the inboxes because notices may have been
   * missed. Returns a function that stops listening. @default no notices
   */
  readonly listen?: ((receiver: { tell(runId: string): void; look(): void }) => () => void) | undefined
  /** Called after a command was put through this store. @default nothing */
  readonly announce?: ((runId: string) => void) | undefined
}

/** Calls the listeners of inboxes. */
export interface InboxWatch {
  readonly watch: (listener: (runId: string) => void) => Promise<AsyncDisposable>
  /** Tells every listener that a run has commands to read. */
  tell(runId: string): void
}

interface InboxWatchOptions extends Omit<InboxSignals, 'announce'> {
  /** Returns the ids of runs whose inbox has commands that were not taken. */
  readonly unread: () => Promise<readonly string[]>
}

/** Reads the inboxes repeatedly while a watch is open. The timer does not keep the process alive. */
export function createInboxWatch({
  unread,
  everyMs = 250,
  mayHaveChanged = () => true,
  listen,
}: InboxWatchOptions): InboxWatch {
  const listeners = new Set<(runId: string) => void>()
  let stop = (): void => {}
  /** Whether the last read has failed, so that the next tick reads again although nothing has changed. */
  let hasFailed = false

  function tell(runId: string): void {
    for (const listener of listeners) listener(runId)
  }

  /** Reads the inboxes. A read that fails is repeated at the next tick. */
  function look(): void {
    hasFailed = false
    unread().then(
      runs => runs.forEach(tell),
      () => (hasFailed = true),
    )
  }

  /**
   * Returns whether to read. An error counts as yes: a timer has no caller that could handle the error, and the read
   * that follows fails too and is repeated.
   */
  function isDue(): boolean {
    try {
      return mayHaveChanged()
    } catch {
      return true
    }
  }

  function start(): void {
    const timer = setInterval(() => {
      // `isDue` first: it remembers what it has seen.
      if (isDue() || hasFailed) look()
    }, everyMs)
    timer.unref()
    const stopListening = listen?.({ tell, look })
    stop = () => {
      clearInterval(timer)
      stopListening?.()
    }
  }

  return {
    tell,
    watch: async listener => {
      // A wrapper, so that a listener that is given twice is called twice.
      const own = (runId: string): void => listener(runId)
      if (listeners.size === 0) start()
      listeners.add(own)
      // The commands that wait now may have come before this watch, so nothing tells that they are there.
      look()
      return {
        [Symbol.asyncDispose]: async () => {
          if (listeners.delete(own) && listeners.size === 0) stop()
        },
      }
    },
  }
}

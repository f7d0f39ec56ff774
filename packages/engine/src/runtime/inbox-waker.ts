import type { RunInbox } from '@parley/core'

/** Watches the inboxes of a store while this process drives a run. */
export interface InboxWaker {
  /** Watches the inboxes while a run is driven. Returns a function to call when the run is no longer driven. */
  hold(): () => void
}

/**
 * Creates the waker of a runtime's inboxes.
 * @param wake Called with the id of a run that may have commands. It may be any run of the store.
 */
export function createInboxWaker(inbox: RunInbox, wake: (runId: string) => void): InboxWaker {
  let held = 0
  let watching: Promise<AsyncDisposable | undefined> | undefined
  return {
    hold() {
      // A store that cannot be watched has failed: the next append reports it.
      if (held++ === 0) watching = inbox.watch(wake).catch(() => undefined)
      return () => {
        if (--held > 0) return
        const ending = watching
        watching = undefined
        void ending?.then(watch => watch?.[Symbol.asyncDispose]()).catch(() => {})
      }
    },
  }
}

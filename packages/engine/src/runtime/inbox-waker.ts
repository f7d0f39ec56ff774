import type { RunInbox } from '@parley/core'

/** Watches the inboxes of a store as long as anything is driven here. */
export interface InboxWaker {
  /** Returns the way to let go. */
  hold(): () => void
}

/** @param wake Called with the id of a run that may have something to read; it may be any run of the store. */
export function createInboxWaker(inbox: RunInbox, wake: (runId: string) => void): InboxWaker {
  let held = 0
  let watching: Promise<AsyncDisposable | undefined> | undefined
  return {
    hold() {
      // A store that cannot be watched has failed: the next append finds out.
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

import type { Clock } from '@parley/core'
import { joinRequests, type Requests } from '../journal/pending-request.ts'

/** Resumes suspended runs when one of their requests expires. */
export interface ExpiryTimers {
  watch(runId: string, requests: Requests): void
  close(): void
}

export function resumeAtExpiry(clock: Clock, resume: (runId: string) => Promise<void>): ExpiryTimers {
  const pending = new Map<string, () => void>()
  return {
    watch(runId, requests) {
      const due = Math.min(...joinRequests(requests).map(({ expiresAt = Infinity }) => expiresAt))
      pending.get(runId)?.()
      pending.delete(runId)
      if (due === Infinity) return
      const callOff = clock.after(Math.max(0, due - clock.now()), () => {
        pending.delete(runId)
        // Another process may have decided: then the run needs nothing more.
        resume(runId).catch(() => {})
      })
      pending.set(runId, callOff)
    },
    close() {
      for (const callOff of pending.values()) callOff()
      pending.clear()
    },
  }
}

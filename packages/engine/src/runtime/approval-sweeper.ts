import type { ApprovalRequest, Clock } from '@parley/core'

/** Resumes suspended runs when their requests for approval expire. */
export interface ApprovalSweeper {
  watch(runId: string, approvals: readonly ApprovalRequest[]): void
  close(): void
}

export function createApprovalSweeper(clock: Clock, resume: (runId: string) => Promise<void>): ApprovalSweeper {
  const pending = new Map<string, () => void>()
  return {
    watch(runId, approvals) {
      const due = Math.min(...approvals.map(({ expiresAt = Infinity }) => expiresAt))
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

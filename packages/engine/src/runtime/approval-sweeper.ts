import type { ApprovalRequest, Clock } from '@parley/core'

/** Goes on with suspended runs whose approvals run out of time, without anybody looking. */
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
        // Somebody may have decided meanwhile: then there is nothing left to do here.
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

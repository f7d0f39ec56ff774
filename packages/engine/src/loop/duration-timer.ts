import { DEFAULT_LIMITS } from '../journal/limit-hit.ts'
import type { RunContext } from '../run-context/run-context.ts'

/** Stops the work in the middle of a turn when the run reaches its duration limit. Returns a function that stops the timer. */
export function startDurationTimer(run: RunContext): () => void {
  const max = run.policy.limits.maxDurationMs ?? DEFAULT_LIMITS.maxDurationMs
  const begunAt = run.state.startedAt + run.state.idleMs
  const left = Math.max(0, begunAt + max - run.clock.now())
  return run.clock.after(left, () => {
    const { outcome, cancel, limit } = run.state
    if (outcome !== undefined || cancel !== undefined || limit !== undefined) return
    const hit = { limit: 'duration' as const, max, value: run.clock.now() - begunAt }
    run.journal.record({ type: 'limit.reached', hit })
    run.stopper.stop(new DOMException('The run reached its duration limit.', 'TimeoutError'))
  })
}

import type { QueuedInput } from '../../journal/run-state.ts'
import type { RunContext } from '../../run-context/run-context.ts'

/** Queues a message. A full queue drops its oldest message, or refuses the new one: then returns false. */
export function queueInput({ journal, policy, state }: RunContext, input: QueuedInput): boolean {
  const { capacity, onFull } = policy.queue
  const [oldest] = state.queue
  if (state.queue.length >= capacity && oldest !== undefined) {
    if (onFull === 'refuse') return false
    journal.record({ type: 'input.dropped', queueId: oldest.queueId })
  }
  journal.record({ type: 'input.queued', ...input })
  return true
}

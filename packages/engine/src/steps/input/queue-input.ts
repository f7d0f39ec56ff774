import type { QueuedInput } from '../../journal/run-state.ts'
import type { RunContext } from '../../run-context/run-context.ts'

/** Queues a message whose sender waits for no reply. If the queue refuses it, the journal records that it was dropped. */
export function queueOrDrop(run: RunContext, input: QueuedInput): void {
  if (queueInput(run, input)) return
  run.journal.record({ type: 'input.queued', ...input })
  run.journal.record({ type: 'input.dropped', queueId: input.queueId })
}

/**
 * Queues a message. A full queue drops its oldest message or refuses the new one.
 * @returns Whether the message was queued.
 */
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

import type { ActionOf } from '../../journal/decide.ts'
import type { RunContext } from '../../run-context/run-context.ts'

/** Appends queued messages to the transcript. */
export function takeQueued({ journal }: RunContext, { inputs }: ActionOf<'take-queued'>): void {
  for (const { kind: source, message, queueId } of inputs) {
    journal.record({ type: 'message.appended', source, message, queueId })
  }
}

import type { ModelEvent } from '@parley/core'

/** Whether an event adds to the answer: after it, the call must not be made again behind the reader's back. */
export function isVisibleEvent({ type }: ModelEvent): boolean {
  return type !== 'usage' && type !== 'retry'
}

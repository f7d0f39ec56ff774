import { refuseOption } from '@parley/core'

/** How steering messages and follow-ups are queued. */
export interface InputQueueOptions {
  /** Largest number of queued messages, steering and follow-ups together. @default 100 */
  readonly capacity?: number | undefined
  /** What happens to a message when the queue is full: it is refused with `queue-full`, or the oldest message is dropped. @default 'refuse' */
  readonly onFull?: 'refuse' | 'drop-oldest' | undefined
  /** How many steering messages are appended before a model call. @default 'all' */
  readonly steering?: 'all' | 'one' | undefined
  /** How many follow-ups are appended when the run would end. @default 'one' */
  readonly followUps?: 'all' | 'one' | undefined
}

export type InputQueuePolicy = {
  readonly [field in keyof Required<InputQueueOptions>]: NonNullable<InputQueueOptions[field]>
}

/** @throws ParleyError `config-invalid` with the path of the option that is invalid. */
export function prepareInputQueue(options: InputQueueOptions, path: string): InputQueuePolicy {
  const { capacity = 100, onFull = 'refuse', steering = 'all', followUps = 'one' } = options
  if (!(Number.isInteger(capacity) && capacity > 0))
    refuseOption(`${path}.capacity`, `is ${capacity}; must be a positive integer`)
  if (!['refuse', 'drop-oldest'].includes(onFull))
    refuseOption(`${path}.onFull`, `is '${onFull}'; must be refuse or drop-oldest`)
  for (const [field, mode] of Object.entries<string>({ steering, followUps })) {
    if (mode !== 'all' && mode !== 'one') refuseOption(`${path}.${field}`, `is '${mode}'; must be all or one`)
  }
  return { capacity, onFull, steering, followUps }
}

import { checkCount, checkOptions, type OptionKinds } from '@parley/core'

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

export const INPUT_QUEUE: OptionKinds<InputQueueOptions> = {
  capacity: 'number',
  onFull: ['refuse', 'drop-oldest'],
  steering: ['all', 'one'],
  followUps: ['all', 'one'],
}

/**
 * Checks the options of a queue and fills in their defaults.
 * @throws ParleyError `config-invalid` with the path of the option that is invalid.
 */
export function prepareInputQueue(options: InputQueueOptions, path: string): InputQueuePolicy {
  checkOptions(path, options, INPUT_QUEUE)
  const { capacity = 100, onFull = 'refuse', steering = 'all', followUps = 'one' } = options
  checkCount({ capacity }, path)
  return { capacity, onFull, steering, followUps }
}

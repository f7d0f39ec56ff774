import { ParleyError } from '@parley/core'

/** How people's messages wait for their boundary. */
export interface InputQueueOptions {
  /** Most messages that wait at once, steering and follow-ups together. @default 100 */
  readonly capacity?: number | undefined
  /** A message more: `refuse` it with `queue-full`, or drop the oldest one that waits. @default 'refuse' */
  readonly onFull?: 'refuse' | 'drop-oldest' | undefined
  /** How many steered messages join at one boundary. @default 'all' */
  readonly steering?: 'all' | 'one' | undefined
  /** How many follow-ups join when the run would end. @default 'one' */
  readonly followUps?: 'all' | 'one' | undefined
}

export type InputQueuePolicy = {
  readonly [field in keyof Required<InputQueueOptions>]: NonNullable<InputQueueOptions[field]>
}

/** @throws ParleyError `config-invalid` for a value that makes no sense. */
export function prepareInputQueue(options: InputQueueOptions, path: string): InputQueuePolicy {
  const { capacity = 100, onFull = 'refuse', steering = 'all', followUps = 'one' } = options
  if (!(Number.isInteger(capacity) && capacity > 0))
    refuse(`${path}.capacity`, `is ${capacity}, it must be a whole number above 0`)
  if (!['refuse', 'drop-oldest'].includes(onFull))
    refuse(`${path}.onFull`, `is '${onFull}', it must be refuse or drop-oldest`)
  for (const [field, mode] of Object.entries<string>({ steering, followUps })) {
    if (mode !== 'all' && mode !== 'one') refuse(`${path}.${field}`, `is '${mode}', it must be all or one`)
  }
  return { capacity, onFull, steering, followUps }
}

function refuse(path: string, detail: string): never {
  throw new ParleyError({ code: 'config-invalid', path, detail })
}

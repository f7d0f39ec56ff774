import type { BusEvent } from '../run/runtime-event.ts'

/** An event that a subscriber did not take, kept until somebody hands it over again or throws it away. */
export interface DeadLetter {
  readonly id: string
  /** The name it subscribed under. */
  readonly subscriber: string
  readonly event: BusEvent
  /** Of the run the event belongs to; empty, as `scope` is, for one that belongs to none. */
  readonly agent: string
  readonly scope: string
  /** `failed`: its handler threw; `timeout`: it did not settle; `overflow`: its buffer was full; `closed`: the bus closed first. */
  readonly reason: 'failed' | 'timeout' | 'overflow' | 'closed'
  /** What the handler threw last, in words; empty when it never ran. */
  readonly detail: string
  /** How often the handler was called with it. */
  readonly attempts: number
  /** Milliseconds since the epoch. */
  readonly failedAt: number
}

export interface DeadLetterQuery {
  /** @default every subscriber's */
  readonly subscriber?: string | undefined
  /** @default 100 */
  readonly limit?: number | undefined
}

/** Where dead letters are kept. `describeDeadLetterContract` in `@parley/testing/contract` checks every promise. */
export interface DeadLetterStore {
  /** Adds a letter, or replaces the one of the same id. */
  put(letter: DeadLetter): Promise<void>
  /** Oldest first: by `failedAt`, then by id. */
  list(query?: DeadLetterQuery): Promise<readonly DeadLetter[]>
  get(id: string): Promise<DeadLetter | undefined>
  /** @returns Whether there was one of that id. */
  remove(id: string): Promise<boolean>
  /** Removes letters that failed before `before`, and of the others all but the newest `keep`. Returns how many. */
  prune(limits: { readonly before: number; readonly keep: number }): Promise<number>
  count(): Promise<number>
}

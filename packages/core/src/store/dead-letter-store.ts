import type { BusEvent } from '../run/runtime-event.ts'
import type { StoreCallOptions } from './store-call-options.ts'

/**
 * An event that a subscriber of the event bus did not accept, or the last event of a run that was ended because every attempt
 * failed. It stays until it is redelivered or removed.
 */
export interface DeadLetter {
  readonly id: string
  /** Name under which the subscriber subscribed. `runtime` for a run. */
  readonly subscriber: string
  readonly event: BusEvent
  /** Agent of the event's run. Empty, like `scope`, for an event that belongs to no run. */
  readonly agent: string
  readonly scope: string
  /**
   * Why the event was not delivered. `failed`: the handler threw, or every attempt of the run failed. `timeout`: the
   * handler did not settle in time. `overflow`: the subscriber's buffer was full. `closed`: the bus closed before
   * delivery.
   */
  readonly reason: 'failed' | 'timeout' | 'overflow' | 'closed'
  /** Message of the handler's last error. Empty if the handler never ran. */
  readonly detail: string
  /** Number of times the handler was called with the event, or the run was attempted. */
  readonly attempts: number
  /** Time of the failure, in milliseconds since the epoch. */
  readonly failedAt: number
}

/** Selects dead letters. */
export interface DeadLetterQuery {
  /** Name of the subscriber. @default all subscribers */
  readonly subscriber?: string | undefined
  /** Largest number of letters in the result. @default 100 */
  readonly limit?: number | undefined
}

/** Keeps dead letters. `describeDeadLetterContract` of `@parley/testing/contract` tests every promise made here. */
export interface DeadLetterStore {
  /** Adds a letter, or replaces the letter with the same id. */
  put(letter: DeadLetter, options?: StoreCallOptions): Promise<void>
  /** Lists letters, oldest first: by `failedAt`, then by id. */
  list(query?: DeadLetterQuery, options?: StoreCallOptions): Promise<readonly DeadLetter[]>
  /** Returns a letter, or `undefined` for an unknown id. */
  get(id: string, options?: StoreCallOptions): Promise<DeadLetter | undefined>
  /** Removes a letter. @returns Whether the id was known. */
  remove(id: string, options?: StoreCallOptions): Promise<boolean>
  /**
   * Removes letters that failed before `before` (milliseconds since the epoch), and all but the newest `keep` of the others.
   * @returns How many letters were removed.
   */
  prune(limits: { readonly before: number; readonly keep: number }, options?: StoreCallOptions): Promise<number>
  /** Returns the number of letters of all subscribers. */
  count(options?: StoreCallOptions): Promise<number>
}

import type { BusEvent, BusEventType, DeadLetter, DeadLetterQuery } from '@parley/core'

/**
 * Hands the events of many runs, and of their runtimes, to subscribers of the process, each at its own pace. Publishing never waits and never
 * throws. A subscriber gets its events one at a time, in order; a failed delivery is tried again, and then kept as a
 * dead letter.
 */
export interface EventBus extends AsyncDisposable {
  /** @throws ParleyError `config-invalid` for options that make no sense or a name that is taken. */
  subscribe(handler: EventHandler, options: SubscribeOptions): Subscription
  /** `origin` is that of the run the event belongs to. */
  publish(event: BusEvent, origin?: EventOrigin): void
  /** Whether some subscriber takes events of this type. */
  wants(type: BusEventType): boolean
  readonly deadLetters: DeadLetters
  stats(): Promise<EventBusStats>
  /** Resolves when everything published so far was taken or has become a dead letter; rejects with the signal's reason. */
  flush(options?: { readonly signal?: AbortSignal | undefined }): Promise<void>
  /**
   * Takes no more events, breaks off what is under way, and keeps what was not delivered as dead letters. Idempotent.
   * @throws what the dead letter store throws when it could not keep them.
   */
  close(): Promise<void>
}

/** Called with each event. A throw or a rejection is a failed delivery; the same event may come again. */
export type EventHandler = (event: BusEvent, delivery: Delivery) => void | Promise<void>

export interface Delivery {
  /** Aborted when the delivery takes too long, and when the bus closes or the subscriber leaves. */
  readonly signal: AbortSignal
  /** 1 for the first try, and one more for each that failed, those before a redrive included. */
  readonly attempt: number
  /** Of the run; empty, as `scope` is, for an event that belongs to none. */
  readonly agent: string
  readonly scope: string
}

/** The run an event belongs to, where the event does not say so itself. */
export interface EventOrigin {
  readonly agent: string
  readonly scope: string
}

export interface SubscribeOptions {
  /** Unique on the bus. Dead letters are handed over again to whoever subscribes under this name. */
  readonly name: string
  /** @default every event but the pieces of answers and tool progress, which come only by naming their type */
  readonly filter?: EventFilter | undefined
  /** Events that may wait; critical ones find a place beside them. @default the bus's capacity */
  readonly capacity?: number | undefined
  /** With a full buffer: the new event becomes a dead letter, or the oldest one is dropped and counted. @default 'dead-letter' */
  readonly overflow?: 'dead-letter' | 'drop-oldest' | undefined
}

/** An event has to fit every field that is given. One that belongs to no run fits `types` alone. */
export interface EventFilter {
  readonly types?: readonly BusEventType[] | undefined
  readonly agent?: string | undefined
  readonly scope?: string | undefined
  readonly sessionId?: string | undefined
  readonly runId?: string | undefined
}

export interface Subscription {
  readonly name: string
  /** Leaves the bus. What waits for this subscriber is thrown away. */
  unsubscribe(): void
}

export interface DeadLetters {
  /** Oldest first. */
  list(query?: DeadLetterQuery): Promise<readonly DeadLetter[]>
  /**
   * Puts letters at the end of their subscribers' buffers. A letter is removed once it is taken; one that fails again
   * stays, with its attempts added up.
   */
  redrive(query?: RedriveQuery): Promise<RedriveReport>
  /** @returns Whether there was one of that id. */
  remove(id: string): Promise<boolean>
}

export interface RedriveQuery extends DeadLetterQuery {
  /** @default all the query finds */
  readonly id?: string | undefined
}

export interface RedriveReport {
  readonly queued: number
  /** Letters nobody has subscribed for, or whose subscriber's buffer is full. */
  readonly left: number
}

export interface EventBusStats {
  readonly subscribers: readonly SubscriberStats[]
  readonly deadLetters: number
}

export interface SubscriberStats {
  readonly name: string
  /** Events that wait or are being delivered. */
  readonly backlog: number
  readonly delivered: number
  /** Deliveries that failed, retries included. */
  readonly failed: number
  /** Thrown away because the buffer was full. */
  readonly dropped: number
}

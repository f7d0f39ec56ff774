import type { BusEvent, BusEventType, DeadLetter, DeadLetterQuery, EventSink } from '@parley/core'

/**
 * Delivers the events of many runs, and of their runtimes, to subscribers in the same process. Publishing never waits
 * and never throws. Each subscriber has its own buffer and receives its events one at a time, in order. The bus repeats
 * a failed delivery. After the last failed attempt it keeps the event as a dead letter.
 */
export interface EventBus extends EventSink, AsyncDisposable {
  /**
   * Adds a subscriber. It gets the events published from now on.
   * @throws ParleyError `config-invalid` if an option is invalid, the name is taken, or the bus is closed.
   */
  subscribe(handler: EventHandler, options: SubscribeOptions): Subscription
  readonly deadLetters: DeadLetters
  stats(): Promise<EventBusStats>
  /**
   * Resolves when every event published so far was handled, dropped or kept as a dead letter. If the signal is aborted
   * first, rejects with its reason.
   * @throws The error of the dead letter store if it cannot keep a letter.
   */
  flush(options?: { readonly signal?: AbortSignal | undefined }): Promise<void>
  /**
   * Accepts no more events, aborts deliveries in progress, and keeps every undelivered event as a dead letter.
   * Idempotent.
   * @throws The error of the dead letter store if it cannot keep a letter.
   */
  close(): Promise<void>
}

/** Called with each event. A throw or a rejection is a failed delivery. The same event may come more than once. */
export type EventHandler = (event: BusEvent, delivery: Delivery) => void | Promise<void>

export interface Delivery {
  /** Aborted when the delivery takes longer than `timeoutMs`, when the subscriber leaves, and when the bus closes. */
  readonly signal: AbortSignal
  /** Number of this attempt, from 1. Attempts before a redrive are included. */
  readonly attempt: number
  /** Agent of the event's run. Empty if the event belongs to no run. */
  readonly agent: string
  /** Scope of the event's run. Empty if the event belongs to no run. */
  readonly scope: string
}

export interface SubscribeOptions {
  /** Must be unique on the bus. A redrive delivers a dead letter to the subscriber that has this name at that time. */
  readonly name: string
  /** Events that the subscriber receives. @default every event except stream pieces, such as `text.delta`, which a filter must name in `types` */
  readonly filter?: EventFilter | undefined
  /**
   * Largest number of events in the buffer. Critical events are added even if the buffer is full.
   * @default the bus's capacity
   */
  readonly capacity?: number | undefined
  /**
   * What happens to a new event when the buffer is full. `dead-letter`: the new event becomes a dead letter.
   * `drop-oldest`: the oldest event is dropped, and `dropped` in the statistics grows by one. @default 'dead-letter'
   */
  readonly overflow?: 'dead-letter' | 'drop-oldest' | undefined
}

/** An event must match every field that is set. An event that belongs to no run matches only a filter without run fields. */
export interface EventFilter {
  readonly types?: readonly BusEventType[] | undefined
  readonly agent?: string | undefined
  readonly scope?: string | undefined
  readonly sessionId?: string | undefined
  readonly runId?: string | undefined
}

export interface Subscription {
  readonly name: string
  /** Removes the subscriber. The events in its buffer are dropped. */
  unsubscribe(): void
}

export interface DeadLetters {
  /** Returns the oldest letters first. */
  list(query?: DeadLetterQuery): Promise<readonly DeadLetter[]>
  /**
   * Adds letters to the end of their subscribers' buffers. A letter is removed after its subscriber has handled it. If
   * the delivery fails again, the letter stays, and the new attempts are added to the earlier ones.
   */
  redrive(query?: RedriveQuery): Promise<RedriveReport>
  /** Returns whether a letter with this id existed. */
  remove(id: string): Promise<boolean>
}

export interface RedriveQuery extends DeadLetterQuery {
  /** Redrives this letter only. @default every letter that the query finds */
  readonly id?: string | undefined
}

export interface RedriveReport {
  /** Number of letters added to a buffer. */
  readonly queued: number
  /**
   * Number of letters that were not added: the subscriber is missing, its buffer is full, or the letter is already in
   * it.
   */
  readonly left: number
}

export interface EventBusStats {
  readonly subscribers: readonly SubscriberStats[]
  /** Number of letters in the dead letter store. */
  readonly deadLetters: number
}

export interface SubscriberStats {
  readonly name: string
  /** Number of events in the buffer, including the one that is being delivered. */
  readonly backlog: number
  readonly delivered: number
  /** Number of failed attempts, including retries. */
  readonly failed: number
  /** Number of events dropped because the buffer was full. */
  readonly dropped: number
}

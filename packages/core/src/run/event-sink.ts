import type { BusEvent, BusEventType } from './runtime-event.ts'

/**
 * Receives the events of all runs of a runtime, of its resources, and the two events that a runtime publishes when it
 * closes. Pass a sink as the runtime option `bus`. `createEventBus` of `@parley/event-bus` makes one with subscribers, retries and dead
 * letters.
 */
export interface EventSink {
  /**
   * Takes an event. Returns at once and never throws: a run does not wait for the sink. `origin` describes the event's
   * run. It is missing for an event of the runtime itself or of a resource.
   */
  publish(event: BusEvent, origin?: EventOrigin): void
  /**
   * Returns whether the sink uses events of this type. The runtime calls it before it creates an ephemeral event, such
   * as a piece of an answer. So it must be fast. Its result may change at any time.
   */
  wants(type: BusEventType): boolean
  /**
   * Resolves when every event published so far was delivered, or its delivery finally failed. The runtime calls it when
   * it closes.
   */
  flush(): Promise<void>
  /**
   * Counts the subscribers and the undelivered events, for `runtime.health()`. If it rejects, the health report shows
   * the error.
   */
  stats(): Promise<EventSinkStats>
  /** Delivers a dead letter again. `queued` is 0 if its subscriber is gone or full. Absent if the sink keeps no letters. */
  readonly deadLetters?: { redrive(letter: { readonly id: string }): Promise<{ readonly queued: number }> } | undefined
}

/** Facts about the run of an event that the event itself does not contain. */
export interface EventOrigin {
  /** Name of the agent the run began with. */
  readonly agent: string
  /** The store's partition that the run is in. */
  readonly scope: string
}

/** How far the subscribers of an event sink are behind. */
export interface EventSinkStats {
  /** One item for each subscriber. `backlog` is the number of events that it has not handled yet. */
  readonly subscribers: readonly { readonly backlog: number }[]
  /** Events that could not be delivered and were kept. */
  readonly deadLetters: number
}

import type { AgentEvent } from '../schema/agent-event.ts'

const NONE: readonly AgentEvent[] = Object.freeze([])

/** The events of one stream that are not sent yet. Numbers them in order; no other code numbers events. */
export class EventQueue {
  #next = 0
  #events: AgentEvent[] = []

  /** Returns the number of the next event and reserves it. The caller must push that event next. */
  number(): number {
    return this.#next++
  }

  /** Adds a numbered copy of a snapshot. */
  send<TEvent extends { readonly sequence_number: number | null }>(snapshot: TEvent): void {
    this.push({ ...snapshot, sequence_number: this.number() } as unknown as AgentEvent)
  }

  /** Adds a numbered event. */
  push(event: AgentEvent): void {
    this.#events.push(Object.freeze(event))
  }

  /** Returns and removes all events since the last call. */
  take(): readonly AgentEvent[] {
    if (this.#events.length === 0) return NONE
    const events = this.#events
    this.#events = []
    return events
  }
}

import type { AgentEvent } from '../schema/agent-event.ts'

const NONE: readonly AgentEvent[] = Object.freeze([])

/** The events of one stream on their way out, numbered in the order they came. The only place that numbers. */
export class EventQueue {
  #next = 0
  #events: AgentEvent[] = []

  /** The number of the next event. Whoever takes it pushes that event. */
  number(): number {
    return this.#next++
  }

  /** Numbers and adds a snapshot, which itself stays without a number. */
  send<TEvent extends { readonly sequence_number: number | null }>(snapshot: TEvent): void {
    this.push({ ...snapshot, sequence_number: this.number() } as unknown as AgentEvent)
  }

  /** Adds an event that has its number. */
  push(event: AgentEvent): void {
    this.#events.push(Object.freeze(event))
  }

  /** Everything since the last time. */
  take(): readonly AgentEvent[] {
    if (this.#events.length === 0) return NONE
    const events = this.#events
    this.#events = []
    return events
  }
}

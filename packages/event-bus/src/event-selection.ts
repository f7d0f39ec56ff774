import { STREAM_PIECES, type BusEvent, type BusEventType, type EventOrigin } from '@parley/core'
import type { EventFilter } from './event-bus.ts'

const PIECES: ReadonlySet<BusEventType> = new Set(STREAM_PIECES)

/** The events that a subscriber gets, by its filter. */
export class EventSelection {
  readonly #filter: EventFilter

  constructor(filter: EventFilter) {
    this.#filter = filter
  }

  /** Tells whether the filter lets events of this type through. */
  wants(type: BusEventType): boolean {
    const { types } = this.#filter
    return types === undefined ? !PIECES.has(type) : types.includes(type)
  }

  matches(event: BusEvent, origin: EventOrigin): boolean {
    if (!this.wants(event.type)) return false
    const { agent, scope, sessionId, runId } = this.#filter
    if (!('runId' in event)) return (agent ?? scope ?? sessionId ?? runId) === undefined
    return (
      (agent === undefined || agent === origin.agent) &&
      (scope === undefined || scope === origin.scope) &&
      (sessionId === undefined || sessionId === event.sessionId) &&
      (runId === undefined || runId === event.runId)
    )
  }
}

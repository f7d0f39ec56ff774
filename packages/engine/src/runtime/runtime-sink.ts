import { STREAM_PIECES, type EventSink, type RunEvent, type RunFacts } from '@parley/core'
import type { LastModelCall } from './health.ts'
import type { RunSink } from '../run-context/feed/run-feed.ts'

/** Receives the events of all runs: passes them to the bus, and remembers the outcome of the last model call. */
export class RuntimeSink {
  readonly #bus: EventSink | undefined
  /**
   * Without a bus, all runs share this sink. A separate sink would take 250 bytes of each run
   * (bench: tricks shared-sink).
   */
  readonly #plain: RunSink = { streams: () => false, wants: () => false, publish: event => this.#watch(event) }
  lastModelCall: LastModelCall | undefined

  constructor(bus: EventSink | undefined) {
    this.#bus = bus
  }

  /** Returns the sink of one run. */
  for({ runId, agent, scope }: RunFacts): RunSink {
    const bus = this.#bus
    if (bus === undefined) return this.#plain
    const origin = { agent, scope }
    return {
      streams: () => STREAM_PIECES.some(type => bus.wants(type)),
      wants: type => bus.wants(type),
      publish: event => {
        this.#watch(event)
        // A run also shows the events of its child runs, which publish them to the bus themselves.
        if (event.runId === runId) bus.publish(event, origin)
      },
    }
  }

  #watch(event: RunEvent): void {
    if (event.type === 'model.called') this.lastModelCall = { at: event.at, status: 'success' }
    else if (event.type === 'model.failed') {
      this.lastModelCall = { at: event.at, status: { error: event.error.code } }
    }
  }
}

import { setImmediate as nextTurn } from 'node:timers/promises'
import { createEventLog, type EventLog } from '@parley/agent-api'
import type { RunEvent } from '@parley/core'
import type { RunEncoder } from '@parley/encoders'
import { streamRun } from '../streams/stream-run.ts'
import { writeRun } from '../streams/write-run.ts'

export interface ServedResponseOptions<TEvent, TResponse> {
  readonly id: string
  readonly scope: string
  readonly runId: string
  readonly maxReplayChars: number
  /**
   * Whether an earlier process started the response. Its readers then know event numbers of another stream. @default
   * false
   */
  readonly resumed?: boolean | undefined
  /** Returns the events of the run. Called once for each reader. */
  readonly watch: () => AsyncIterable<RunEvent>
  /** Creates the encoder of a stream. Called once for each stream. */
  readonly createEncoder: () => RunEncoder<TEvent>
  /** Turns an event into the frame that readers receive. */
  readonly encode: (event: TEvent) => string
  /** Returns the response that an event contains. The first and the last event contain one. */
  readonly responseOf: (event: TEvent) => TResponse | undefined
}

/** One response and its events, for any number of readers, while it is written and for a while after. */
export class ServedResponse<TEvent, TResponse> {
  readonly id: string
  readonly scope: string
  readonly runId: string
  /** Resolves with the response of the last event. */
  readonly ended: Promise<TResponse>
  /** Resolves with the response of the first event. */
  readonly started: Promise<TResponse>
  readonly #log: EventLog<TEvent>
  readonly #options: ServedResponseOptions<TEvent, TResponse>
  readonly #start: (response: TResponse) => void
  #current: TResponse | undefined

  constructor(options: ServedResponseOptions<TEvent, TResponse>) {
    const { id, scope, runId, maxReplayChars, encode, watch, createEncoder } = options
    this.#options = options
    this.id = id
    this.scope = scope
    this.runId = runId
    this.#log = createEventLog<TEvent>({ maxChars: maxReplayChars, encode, gather: nextTurn })
    const started = Promise.withResolvers<TResponse>()
    this.started = started.promise
    this.#start = started.resolve
    // Starts reading before any reader connects, so that the log has every event.
    const written = writeRun(watch(), createEncoder(), events => this.#push(events))
    this.ended = written.ended.then(() => {
      this.#log.end()
      // The last event of every stream contains the response.
      return this.#current as TResponse
    })
  }

  /** Whether the last event is written. */
  get isEnded(): boolean {
    return this.#log.ended
  }

  /** The response as the newest event contains it. */
  get current(): TResponse | undefined {
    return this.#current
  }

  /**
   * Returns the events after a number, exactly as they were sent. `undefined` if the log no longer has them; use
   * `replay`.
   * @param startingAfter @default -1, the whole stream
   */
  read(startingAfter = -1): AsyncIterable<string> | undefined {
    return this.#options.resumed === true && startingAfter > -1 ? undefined : this.#log.read(startingAfter)
  }

  /** Encodes the response again, first from the journal, then live. The stream has its own event numbers. */
  replay(): AsyncIterable<string> {
    const { watch, createEncoder, encode, maxReplayChars: maxChars } = this.#options
    return streamRun({ run: watch(), encoder: createEncoder(), encode, maxChars })
  }

  #push(events: readonly TEvent[]): void {
    this.#log.push(events)
    for (const event of events) {
      const response = this.#options.responseOf(event)
      if (response === undefined) continue
      if (this.#current === undefined) this.#start(response)
      this.#current = response
    }
  }
}

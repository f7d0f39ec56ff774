import { createEventLog, type EventLog } from '@parley/agent-api'
import type { RunEncoder } from '@parley/encoders'
import type { RunEvent } from '@parley/core'
import { nextTurn } from '../streams/next-turn.ts'
import { streamRun } from '../streams/stream-run.ts'
import { writeRun } from '../streams/write-run.ts'

export interface ServedResponseOptions<TEvent, TAnswer> {
  readonly id: string
  readonly scope: string
  readonly runId: string
  readonly maxReplayChars: number
  /** Whether another process began to write it: the numbers its readers know are not those of this stream. @default false */
  readonly takenUp?: boolean | undefined
  /** The run's events, for each reader anew. */
  readonly watch: () => AsyncIterable<RunEvent>
  /** For each stream anew. */
  readonly createEncoder: () => RunEncoder<TEvent>
  /** An event as its readers get it. */
  readonly encode: (event: TEvent) => string
  /** The response as an event shows it; the first and the last event do. */
  readonly answerOf: (event: TEvent) => TAnswer | undefined
}

/** One response while it is written, and for a while after: its events for any number of readers. */
export class ServedResponse<TEvent, TAnswer> {
  readonly id: string
  readonly scope: string
  readonly runId: string
  /** Resolves with the last event. */
  readonly ended: Promise<TAnswer>
  /** Resolves with the first event. */
  readonly begun: Promise<TAnswer>
  readonly #log: EventLog<TEvent>
  readonly #options: ServedResponseOptions<TEvent, TAnswer>
  readonly #begin: (answer: TAnswer) => void
  #current: TAnswer | undefined

  constructor(options: ServedResponseOptions<TEvent, TAnswer>) {
    const { id, scope, runId, maxReplayChars, encode, watch, createEncoder } = options
    this.#options = options
    this.id = id
    this.scope = scope
    this.runId = runId
    this.#log = createEventLog<TEvent>({ maxChars: maxReplayChars, encode, gather: nextTurn })
    const begun = Promise.withResolvers<TAnswer>()
    this.begun = begun.promise
    this.#begin = begun.resolve
    // Reads from now on, whoever else does: nothing of the run is missed.
    const written = writeRun(watch(), createEncoder(), events => this.#take(events))
    this.ended = written.ended.then(() => {
      this.#log.end()
      // A stream always ends with the response.
      return this.#current as TAnswer
    })
  }

  /** Whether its last event was written. */
  get isOver(): boolean {
    return this.#log.ended
  }

  /** The response as the newest event shows it. */
  get current(): TAnswer | undefined {
    return this.#current
  }

  /**
   * The events after a number, as they were sent. Undefined where they cannot be had: `fresh` is all there is then.
   * @param startingAfter @default -1, the whole stream
   */
  read(startingAfter = -1): AsyncIterable<string> | undefined {
    return this.#options.takenUp === true && startingAfter > -1 ? undefined : this.#log.read(startingAfter)
  }

  /** The response encoded again from the run's entries so far, then live: a stream with numbers of its own. */
  fresh(): AsyncIterable<string> {
    const { watch, createEncoder, encode, maxReplayChars: maxChars } = this.#options
    return streamRun({ run: watch(), encoder: createEncoder(), encode, maxChars })
  }

  #take(events: readonly TEvent[]): void {
    this.#log.push(events)
    for (const event of events) {
      const answer = this.#options.answerOf(event)
      if (answer === undefined) continue
      if (this.#current === undefined) this.#begin(answer)
      this.#current = answer
    }
  }
}

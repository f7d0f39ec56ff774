import { setImmediate as nextTurn } from 'node:timers/promises'
import type { EventLog, EventLogOptions, FrameStream } from '@parley/agent-api'
import type { RunEvent } from '@parley/core'
import type { RunEncoder } from '@parley/encoders'
import { jsonSize } from '@parley/encoders/kit'
import { writeRun } from '../streams/write-run.ts'

/** How the events of a protocol are kept and sent. */
export interface ResponseProtocol<TEvent, TResponse> {
  readonly createLog: (options: Pick<EventLogOptions, 'maxChars' | 'gather' | 'cutFrame'>) => EventLog<TEvent>
  /** Creates the encoder of a stream. Called once for each stream. */
  readonly createEncoder: () => RunEncoder<TEvent>
  /** Returns the response that an event contains. The first and the last event contain one. */
  readonly responseOf: (event: TEvent) => TResponse | undefined
  /** Returns the frame that tells a reader that its stream was cut. `response` is that of the first event. */
  readonly cutFrame: (lastNumber: number, response: TResponse) => string
}

export interface ServedResponseOptions<TEvent, TResponse> {
  readonly id: string
  readonly scope: string
  readonly runId: string
  readonly maxReplayChars: number
  /**
   * Whether an earlier stream of the response exists, for example of an earlier process. Readers then know event numbers of
   * that stream. @default false
   */
  readonly resumed?: boolean | undefined
  /** Returns the events of the run. */
  readonly watch: () => AsyncIterable<RunEvent>
  readonly protocol: ResponseProtocol<TEvent, TResponse>
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
  readonly #isResumed: boolean
  readonly #protocol: ResponseProtocol<TEvent, TResponse>
  readonly #first: FirstResponse<TResponse>
  #current: TResponse | undefined

  constructor(options: ServedResponseOptions<TEvent, TResponse>) {
    const { id, scope, runId, maxReplayChars: maxChars, resumed = false, watch, protocol } = options
    const { createLog, createEncoder, cutFrame } = protocol
    this.id = id
    this.scope = scope
    this.runId = runId
    this.#isResumed = resumed
    this.#protocol = protocol
    const first = new FirstResponse(cutFrame)
    this.#first = first
    this.started = first.promise
    this.#log = createLog({ maxChars, gather: nextTurn, cutFrame: last => first.cutFrame(last) })
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

  /** The response object of the newest event. */
  get current(): TResponse | undefined {
    return this.#current
  }

  /** Number of readers that have not received every event yet. */
  get readers(): number {
    return this.#log.readers
  }

  /** Keeps nothing more for its readers. Ends their streams, and tells them where to resume. */
  release(): void {
    this.#log.release()
  }

  /** Estimated number of characters that the response keeps in memory. */
  get chars(): number {
    return this.#log.chars + jsonSize(this.#current)
  }

  /**
   * Returns the events after a number, exactly as they were sent. `undefined` if the log does not have them.
   * @param startingAfter @default -1, the whole stream
   */
  read(startingAfter = -1): FrameStream | undefined {
    return this.#isResumed && startingAfter > -1 ? undefined : this.#log.read(startingAfter)
  }

  #push(events: readonly TEvent[]): void {
    this.#log.push(events)
    for (const event of events) {
      const response = this.#protocol.responseOf(event)
      if (response === undefined) continue
      if (this.#current === undefined) this.#first.set(response)
      this.#current = response
    }
  }
}

/**
 * The response of the first event. Makes the frames of readers that are cut from it. A reader must not refer to the newest response,
 * which contains all texts.
 */
class FirstResponse<TResponse> {
  readonly #resolvers = Promise.withResolvers<TResponse>()
  readonly #cutFrame: (lastNumber: number, response: TResponse) => string
  #response: TResponse | undefined

  constructor(cutFrame: (lastNumber: number, response: TResponse) => string) {
    this.#cutFrame = cutFrame
  }

  /** Resolves when the response is set. */
  get promise(): Promise<TResponse> {
    return this.#resolvers.promise
  }

  set(response: TResponse): void {
    this.#response = response
    this.#resolvers.resolve(response)
  }

  cutFrame(last: number): string {
    return this.#response === undefined ? '' : this.#cutFrame(last, this.#response)
  }
}

import {
  agentApiStream,
  createEventLog,
  type AgentEvent,
  type AgentProfile,
  type AgentResponse,
  type EventLog,
  type ResponseEvent,
} from '@parley/agent-api'
import type { Entry, RunEvent } from '@parley/core'

export interface ServedResponseOptions {
  readonly id: string
  readonly scope: string
  readonly runId: string
  readonly sessionId: string
  readonly profile: AgentProfile
  readonly maxReplayChars: number
  /** The run's events, for each reader anew. */
  readonly watch: () => AsyncIterable<RunEvent>
  /** What earlier responses of the run have shown. @default none */
  readonly prior?: readonly Entry[] | undefined
}

/** One response while it is written, and for a while after: its events for any number of readers. */
export class ServedResponse {
  readonly id: string
  readonly scope: string
  readonly runId: string
  /** Resolves with the last event. */
  readonly ended: Promise<AgentResponse>
  /** Resolves with the first event. */
  readonly begun: Promise<AgentResponse>
  readonly log: EventLog
  readonly #options: ServedResponseOptions
  #current: ResponseEvent | undefined

  constructor(options: ServedResponseOptions) {
    this.#options = options
    this.id = options.id
    this.scope = options.scope
    this.runId = options.runId
    this.log = createEventLog({ maxChars: options.maxReplayChars })
    const begun = Promise.withResolvers<AgentResponse>()
    this.begun = begun.promise
    // Reads from now on, whoever else does: nothing of the run is missed.
    this.ended = this.#pump(this.fresh(), begun.resolve)
  }

  /** The response as far as it is written: its messages come with the last event. */
  get current(): AgentResponse | undefined {
    return this.#current
  }

  /** The response encoded again from the run's entries so far, then live: a stream with numbers of its own. */
  fresh(): AsyncIterableIterator<AgentEvent, undefined> {
    const { id, sessionId, profile, prior, watch } = this.#options
    return agentApiStream(watch(), { responseId: id, sessionId, profile, prior })
  }

  async #pump(events: AsyncIterable<AgentEvent>, begin: (first: AgentResponse) => void): Promise<AgentResponse> {
    for await (const event of events) {
      this.log.push([event])
      if (event.object !== 'response') continue
      if (this.#current === undefined) begin(event)
      this.#current = event
    }
    this.log.end()
    // A stream always ends with the response.
    return this.#current as AgentResponse
  }
}

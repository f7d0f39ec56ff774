import { checkOptions, type OptionKinds } from '@parley/core'
import { pullItems } from '@parley/encoders/kit'
import { createEventDecoder, type EventDecoder, type WireFault } from './create-event-decoder.ts'
import { isEndStatus } from '../protocol/end-status.ts'
import { streamEndedEvent } from './stream-ended-event.ts'
import { errorOf, readContent, readMessage, readResponse } from './read-value.ts'
import { ResponseAssembler } from './response-assembler.ts'
import type { AgentEvent } from '../schema/agent-event.ts'
import type { AgentResponse } from '../schema/agent-response.ts'
import type { JsonObject } from '../schema/json-object.ts'

/** A stream as bytes or text in any chunks, or as events. */
export type AgentStreamSource = AsyncIterable<Uint8Array | string | object> | Iterable<Uint8Array | string | object>

/** Observes a stream exactly as it arrives. `createStreamChecker` of `@parley/agent-api/check` creates one. */
export interface StreamObserver {
  /** Called with each deviation in the bytes. */
  fault(fault: WireFault): void
  /** Called with each JSON object of the stream. */
  event(event: Readonly<JsonObject>): void
  /** Called at the end of the stream. */
  end(): void
}

/** Options of `readAgentStream`. */
export interface ReadAgentStreamOptions {
  /** Observes the stream while it is read, for example a stream checker. @default none */
  readonly observer?: StreamObserver | undefined
}

/** A stream that is being read. Leaving the loop closes the source. */
export interface AgentStream extends AsyncIterableIterator<AgentEvent, undefined> {
  /** Reads to the end and returns the whole response. */
  response(): Promise<AgentResponse>
  /** The response as far as it was read. `undefined` before its first event. */
  readonly current: AgentResponse | undefined
}

const OPTIONS: OptionKinds<ReadAgentStreamOptions> = {
  observer: 'object',
}

/**
 * Reads a stream of any server of the protocol. Tolerates deviations of real servers: missing fields, missing
 * announcements or ends, numbers as strings, unknown events and a bare `{"error": …}`. Always ends with one terminal
 * event. If the stream breaks or stops without a terminal event, the reader adds a `failed` event with code
 * `STREAM_ENDED` and without a sequence number.
 */
export function readAgentStream(source: AgentStreamSource, options: ReadAgentStreamOptions = {}): AgentStream {
  checkOptions('readAgentStream', options, OPTIONS)
  const { observer } = options
  const reader = new StreamReader(observer)
  const chunks = (Symbol.asyncIterator in source ? source : toAsync(source))[Symbol.asyncIterator]()
  const pull = async (): Promise<readonly AgentEvent[] | undefined> => {
    if (reader.done) return undefined
    try {
      const { value, done } = await chunks.next()
      return done === true ? reader.end() : reader.push(value)
    } catch (error) {
      return reader.end(error)
    }
  }
  const events = pullItems(pull, () => void chunks.return?.().catch(() => {}))
  return Object.defineProperties(events, {
    current: { get: () => reader.assembler.response },
    response: {
      value: async () => {
        for await (const _ of events);
        return reader.assembler.response
      },
    },
  }) as AgentStream
}

/** Turns what a server sent into valid events. */
class StreamReader {
  readonly assembler = new ResponseAssembler()
  readonly #observer: StreamObserver | undefined
  readonly #decoder: EventDecoder
  #ended = false
  #closed = false

  constructor(observer: StreamObserver | undefined) {
    this.#observer = observer
    this.#decoder = createEventDecoder({ onFault: observer && (fault => observer.fault(fault)) })
  }

  /** Whether to stop reading. With an observer, reading continues after the terminal event. */
  get done(): boolean {
    return this.#closed || (this.#ended && this.#observer === undefined)
  }

  push(chunk: Uint8Array | string | object): readonly AgentEvent[] {
    const isRaw = typeof chunk === 'string' || chunk instanceof Uint8Array
    return this.#read(isRaw ? this.#decoder.push(chunk) : [chunk as JsonObject])
  }

  end(error?: unknown): readonly AgentEvent[] {
    const events = this.#read(this.#decoder.end())
    this.#observer?.end()
    this.#closed = true
    if (this.#ended) return events
    this.#ended = true
    const why = error instanceof Error ? error.message : 'The stream ended before the response did.'
    return [...events, this.#add(streamEndedEvent(this.#current, why))]
  }

  #read(values: readonly JsonObject[]): readonly AgentEvent[] {
    const events: AgentEvent[] = []
    for (const value of values) {
      this.#observer?.event(value)
      // Events after the end are dropped: the client already has its answer.
      const event = this.#ended ? undefined : this.#toEvent(value)
      if (event !== undefined) events.push(event)
    }
    return events
  }

  #toEvent(value: Readonly<JsonObject>): AgentEvent | undefined {
    switch (value['object']) {
      case 'response': {
        const response = readResponse(value)
        if (response.id === '' && this.assembler.id !== undefined) response.id = this.assembler.id
        this.#ended = isEndStatus(response.status)
        this.assembler.addResponse(response)
        return response as AgentEvent
      }
      case 'message': {
        const message = readMessage(value)
        this.assembler.addMessage(message)
        return message as AgentEvent
      }
      case 'content': {
        const content = readContent(value)
        if (content === undefined) return undefined
        content.index ??= this.assembler.openIndex(content.msg_id ?? '')
        this.assembler.addContent(content)
        return content as AgentEvent
      }
      default: {
        const error = value['object'] === undefined ? errorOf(value['error']) : null
        if (error === null) return undefined
        this.#ended = true
        return this.#failure(error)
      }
    }
  }

  get #current(): AgentResponse {
    return this.assembler.response ?? readResponse({ id: 'response_unknown' })
  }

  #failure(error: { readonly code: string; readonly message: string }): AgentEvent {
    return this.#add({ ...this.#current, sequence_number: null, status: 'failed', error: { ...error } })
  }

  #add(failed: AgentEvent): AgentEvent {
    this.assembler.addResponse(failed as AgentResponse)
    return failed
  }
}

async function* toAsync<TItem>(items: Iterable<TItem>): AsyncGenerator<TItem, void> {
  yield* items
}

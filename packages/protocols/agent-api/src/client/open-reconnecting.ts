import { backoffMs, ParleyError } from '@parley/core'
import { createEventDecoder } from '../stream/create-event-decoder.ts'
import { streamEndedMessage } from '../stream/stream-ended-event.ts'
import { isEndStatus } from '../protocol/end-status.ts'
import type { AgentStatus } from '../schema/event-fields.ts'
import type { JsonObject } from '../schema/json-object.ts'
import { wait } from './wait.ts'

export interface ReconnectOptions {
  readonly reopen: (responseId: string, startingAfter: number) => Promise<Response>
  readonly startingAfter: number
  readonly maxReconnects: number
  readonly reconnectDelayMs: number
  readonly signal?: AbortSignal | undefined
}

/** The position of a stream, for resuming it. */
interface Position {
  responseId: string | undefined
  number: number
  ended: boolean
}

/** Reads the events of a stream, over several connections if necessary. Throws the error of the last connection. */
export async function* openReconnecting(
  first: Response,
  { reopen, startingAfter, maxReconnects, reconnectDelayMs, signal }: ReconnectOptions,
): AsyncGenerator<JsonObject, void> {
  const position: Position = { responseId: undefined, number: startingAfter, ended: false }
  let response: Response | undefined = first
  let failure: unknown
  for (let attempts = 0; ;) {
    if (response !== undefined) {
      const before = position.number
      failure = yield* readBody(response, position)
      // A stream that cannot be decoded would be sent again as it is.
      if (ParleyError.is(failure)) break
      if (position.number > before) attempts = 0
    }
    if (position.ended || position.responseId === undefined || attempts >= maxReconnects || isFinal(failure)) break
    attempts += 1
    const delay = { initialDelayMs: reconnectDelayMs, maxDelayMs: Infinity, jitter: 0 }
    await wait(Math.max(backoffMs(attempts, 0, delay), askedWait(failure)), signal)
    try {
      response = await reopen(position.responseId, position.number)
    } catch (error) {
      response = undefined
      failure = error
      signal?.throwIfAborted()
    }
  }
  if (!position.ended && failure !== undefined) throw failure as Error
}

/** Reads the body of one connection. @returns The error that broke the connection, if any. */
async function* readBody(response: Response, position: Position): AsyncGenerator<JsonObject, unknown> {
  const decoder = createEventDecoder({ url: response.url })
  try {
    for await (const chunk of response.body ?? []) {
      for (const event of decoder.push(chunk as Uint8Array)) {
        const cut = streamEndedMessage(event)
        if (cut !== undefined) return new Error(cut)
        advance(position, event)
        yield event
      }
      if (position.ended) return undefined
    }
    for (const event of decoder.end()) {
      const cut = streamEndedMessage(event)
      if (cut !== undefined) return new Error(cut)
      advance(position, event)
      yield event
    }
    return undefined
  } catch (error) {
    return error
  }
}

function advance(position: Position, event: Readonly<JsonObject>): void {
  const { object, id, status, sequence_number: number } = event
  if (object === 'response' && typeof id === 'string') position.responseId = id
  if (object === 'response' && isEndStatus(status as AgentStatus | null)) position.ended = true
  if (object === undefined && event['error'] !== undefined) position.ended = true
  if (Number.isInteger(number)) position.number = number as number
}

// A server that asks for a longer wait gets an earlier attempt instead, because the reader of the stream waits.
const LONGEST_WAIT_MS = 60_000

/** Returns the wait that the server asks for, in milliseconds. */
function askedWait(failure: unknown): number {
  if (!ParleyError.is(failure, 'agent-request-failed')) return 0
  return Math.min(failure.info.retryAfterMs ?? 0, LONGEST_WAIT_MS)
}

/** Whether the server would refuse the request again. */
function isFinal(failure: unknown): boolean {
  if (!ParleyError.is(failure, 'agent-request-failed')) return false
  const { status } = failure.info
  return status !== undefined && status < 500 && status !== 429
}

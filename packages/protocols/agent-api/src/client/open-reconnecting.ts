import { ParleyError } from '@parley/core'
import { createEventDecoder } from '../stream/create-event-decoder.ts'
import { isEndStatus } from '../protocol/end-status.ts'
import type { AgentStatus } from '../schema/event-fields.ts'
import type { JsonObject } from '../schema/json-object.ts'

export interface ReconnectOptions {
  readonly reopen: (responseId: string, startingAfter: number) => Promise<Response>
  readonly startingAfter: number
  readonly maxReconnects: number
  readonly reconnectDelayMs: number
  readonly signal?: AbortSignal | undefined
}

/** Where a stream is, to go on from there. */
interface Place {
  responseId: string | undefined
  number: number
  ended: boolean
}

/** The events of a stream, over as many connections as it takes. Throws what ended the last of them. */
export async function* openReconnecting(
  first: Response,
  { reopen, startingAfter, maxReconnects, reconnectDelayMs, signal }: ReconnectOptions,
): AsyncGenerator<JsonObject, void> {
  const place: Place = { responseId: undefined, number: startingAfter, ended: false }
  let response: Response | undefined = first
  let failure: unknown
  for (let tries = 0; ;) {
    if (response !== undefined) {
      const before = place.number
      failure = yield* readBody(response, place)
      if (place.number > before) tries = 0
    }
    if (place.ended || place.responseId === undefined || tries >= maxReconnects || isFinal(failure)) break
    await wait(reconnectDelayMs * 2 ** tries++, signal)
    try {
      response = await reopen(place.responseId, place.number)
    } catch (error) {
      response = undefined
      failure = error
      signal?.throwIfAborted()
    }
  }
  if (!place.ended && failure !== undefined) throw failure as Error
}

/** Gives back what broke the connection, if anything did. */
async function* readBody(response: Response, place: Place): AsyncGenerator<JsonObject, unknown> {
  const decoder = createEventDecoder()
  try {
    for await (const chunk of response.body ?? []) {
      for (const event of decoder.push(chunk as Uint8Array)) {
        note(place, event)
        yield event
      }
      if (place.ended) return undefined
    }
    for (const event of decoder.end()) {
      note(place, event)
      yield event
    }
    return undefined
  } catch (error) {
    return error
  }
}

function note(place: Place, event: Readonly<JsonObject>): void {
  const { object, id, status, sequence_number: number } = event
  if (object === 'response' && typeof id === 'string') place.responseId = id
  if (object === 'response' && isEndStatus(status as AgentStatus | null)) place.ended = true
  if (object === undefined && event['error'] !== undefined) place.ended = true
  if (Number.isInteger(number)) place.number = number as number
}

/** A server that refuses will refuse again. */
function isFinal(failure: unknown): boolean {
  if (!ParleyError.is(failure, 'agent-request-failed')) return false
  const { status } = failure.info
  return status !== undefined && status < 500 && status !== 429
}

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted === true) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}

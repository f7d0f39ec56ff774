import { backoffMs, ParleyError } from '@parley/core'
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
      if (position.number > before) attempts = 0
    }
    if (position.ended || position.responseId === undefined || attempts >= maxReconnects || isFinal(failure)) break
    attempts += 1
    const delay = { initialDelayMs: reconnectDelayMs, maxDelayMs: Infinity, jitter: 0 }
    await wait(backoffMs(attempts, 0, delay), signal)
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
  const decoder = createEventDecoder()
  try {
    for await (const chunk of response.body ?? []) {
      for (const event of decoder.push(chunk as Uint8Array)) {
        advance(position, event)
        yield event
      }
      if (position.ended) return undefined
    }
    for (const event of decoder.end()) {
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

/** Whether the server would refuse the request again. */
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

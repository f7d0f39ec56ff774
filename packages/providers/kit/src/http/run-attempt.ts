import { ParleyError, retryAfterOf, type ModelEvent } from '@parley/core'
import type { AnswerContext, AnswerDecoder } from '../decode/answer-decoder.ts'
import { createBodyReader, type BodyFormat } from '../decode/create-body-reader.ts'
import type { CallScope } from '../deadlines/create-call-scope.ts'
import { errorText, type ErrorFactory } from '../errors/create-error-factory.ts'
import type { HttpBodyReader, HttpFetch, HttpResponse } from '../transport/http-fetch.ts'
import { readBody, STOPPED } from './read-body.ts'

/** A failed attempt. */
export interface AttemptFailure {
  readonly error: ParleyError
  /** Whether the server asks for a retry or forbids one. Takes precedence over the status. */
  readonly shouldRetry?: boolean | undefined
  readonly retryAfterMs?: number | undefined
}

export interface AttemptOptions {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers: Headers
  readonly body: string | undefined
  readonly format: BodyFormat
  readonly fetch: HttpFetch
  readonly timeouts: { readonly connectMs: number; readonly firstByteMs: number; readonly idleMs: number }
  readonly scope: CallScope
  readonly errors: ErrorFactory
  readonly createDecoder: (context: AnswerContext) => AnswerDecoder
  readonly emit: (event: ModelEvent) => void
  readonly drained: () => Promise<void> | undefined
  readonly now: () => number
}

const LONGEST_ERROR_BODY = 65_536

/** Sends one request and reads its answer. Returns why the attempt failed; `undefined` if the answer is complete. */
export async function runAttempt(options: AttemptOptions): Promise<AttemptFailure | undefined> {
  const { scope } = options
  const controller = new AbortController()
  const halted = Promise.withResolvers<never>()
  halted.promise.catch(() => undefined)
  let reader: HttpBodyReader | undefined
  // Cancelling ends a pending read at once, even if the `fetch` in use ignores the signal.
  const cancel = (): void => void reader?.cancel().catch(() => undefined)
  scope.begin(() => {
    controller.abort()
    halted.reject(STOPPED)
    cancel()
  })
  try {
    const response = await request(options, controller.signal, halted.promise)
    reader = response.body?.getReader()
    if (!response.ok) return await readFailure(response, reader, options)
    return await readAnswer(response, reader, options)
  } catch (error) {
    cancel()
    if (error === STOPPED) return { error: stopError(options) }
    if (ParleyError.is(error)) return { error }
    throw error
  }
}

function stopError({ scope, errors }: AttemptOptions): ParleyError {
  const stop = scope.stop()
  if (stop?.kind === 'deadline') return errors.timeout(stop.deadline, stop.ms)
  throw stop?.kind === 'abort' ? stop.reason : STOPPED
}

async function request(
  { url, method, headers, body, format, fetch, timeouts, scope, errors }: AttemptOptions,
  signal: AbortSignal,
  halted: Promise<never>,
): Promise<HttpResponse> {
  // Servers send a JSON document together with its headers, after the whole answer is known.
  if (format === 'json') scope.timer.start('first-byte', timeouts.firstByteMs)
  else scope.timer.start('connect', timeouts.connectMs)
  const common = { method, headers, body: body ?? null, signal, window: null }
  const send = async (): Promise<HttpResponse> => {
    try {
      // For `manual`, the fetch of Node.js first copies the whole request (bench: tricks redirect-error).
      return await fetch(url, { ...common, redirect: 'error' })
    } catch (error) {
      if (scope.stop() !== undefined || !/redirect/i.test(errorText(error))) throw error
      // Repeated to learn where the redirect points.
      return await fetch(url, { ...common, redirect: 'manual' })
    }
  }
  try {
    return await Promise.race([send(), halted])
  } catch (error) {
    throw scope.stop() === undefined ? errors.network(error) : STOPPED
  }
}

async function readAnswer(
  response: HttpResponse,
  reader: HttpBodyReader | undefined,
  options: AttemptOptions,
): Promise<AttemptFailure | undefined> {
  const { format, scope, errors, timeouts, createDecoder, emit, drained } = options
  const requestId = requestIdOf(response.headers)
  const broken = (detail: string): ParleyError => errors.broken(detail, requestId)
  const context: AnswerContext = {
    emit,
    broken,
    reported: body => errors.reported(body, { requestId }),
    parse(json) {
      try {
        return JSON.parse(json) as unknown
      } catch {
        throw broken(`The server sent invalid JSON: ${json.slice(0, 200)}`)
      }
    },
  }
  const body = createBodyReader({ format, decoder: createDecoder(context), context })
  try {
    if (reader !== undefined) await readBody(reader, { scope, errors, ...timeouts, onChunk: body.feed, drained })
    body.end()
    return undefined
  } catch (error) {
    if (!body.isTooLong() || !ParleyError.is(error)) throw error
    void reader?.cancel().catch(() => undefined)
    return { error, shouldRetry: false }
  }
}

async function readFailure(
  response: HttpResponse,
  reader: HttpBodyReader | undefined,
  { scope, errors, timeouts, drained, now }: AttemptOptions,
): Promise<AttemptFailure> {
  const utf8 = new TextDecoder()
  let text = ''
  const onChunk = (chunk: Uint8Array): 'open' | 'complete' => {
    text += utf8.decode(chunk, { stream: true })
    return text.length > LONGEST_ERROR_BODY ? 'complete' : 'open'
  }
  try {
    if (reader !== undefined) await readBody(reader, { scope, errors, ...timeouts, onChunk, drained })
  } catch (error) {
    // The status is enough if the body cannot be read.
    if (scope.stop() !== undefined || !ParleyError.is(error)) throw error
  }
  const { headers, status } = response
  const retryAfterMs = retryAfterOf(headers, now())
  const location = headers.get('location')
  // Following a redirect would send the key to another address, and would turn the POST into a GET.
  const words =
    location === null ? text : `The server redirects to ${location}. Use that as the base URL if you trust it.`
  const error = errors.reported(words, { status, requestId: requestIdOf(headers), retryAfterMs })
  const wish = headers.get('x-should-retry')
  const isPermanent = error.code === 'model-quota' || error.code === 'model-context-length'
  return {
    error,
    retryAfterMs: retryAfterMs ?? ('retryAfterMs' in error.info ? error.info.retryAfterMs : undefined),
    shouldRetry: isPermanent || wish === 'false' ? false : wish === 'true' ? true : undefined,
  }
}

function requestIdOf(headers: HttpResponse['headers']): string | undefined {
  const names = ['x-request-id', 'request-id', 'apim-request-id', 'x-amzn-requestid']
  for (const name of names) {
    const value = headers.get(name)
    if (value !== null) return value
  }
  return undefined
}

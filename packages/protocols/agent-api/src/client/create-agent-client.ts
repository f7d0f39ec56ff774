import {
  checkOptions,
  checkRetryPolicy,
  ParleyError,
  readLimitedText,
  type RetryPolicy,
  type OptionKinds,
} from '@parley/core'
import { readAgentStream, type AgentStream, type ReadAgentStreamOptions } from '../stream/read-agent-stream.ts'
import { openReconnecting } from './open-reconnecting.ts'
import { readRefusal } from './read-refusal.ts'
import { withRetries } from './with-retries.ts'
import type { AgentRequestInput } from '../schema/agent-request.ts'
import type { AgentResponse } from '../schema/agent-response.ts'
import { readResponse } from '../stream/read-value.ts'
import type { JsonObject } from '../schema/json-object.ts'

/** Options of `createAgentClient`. */
export interface AgentClientOptions {
  /** URL of the server, for example `http://127.0.0.1:8080`. */
  readonly baseUrl: string
  /** Path below the base URL. @default '/process' */
  readonly path?: string | undefined
  /** Headers of every request, or a function that returns them for each request. @default none */
  readonly headers?: Readonly<Record<string, string>> | (() => Readonly<Record<string, string>>) | undefined
  /** Sends the requests. @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch | undefined
  /**
   * When a request is sent again before its stream starts: after 429 and 503, after other server failures with `Retry-After`, and if
   * no connection was made. Requests that only read or cancel are repeated after every server failure. @default {}
   */
  readonly retry?: RetryPolicy | undefined
  /** Returns milliseconds since the epoch. Used for the dates in `Retry-After` headers. @default Date.now */
  readonly now?: (() => number) | undefined
  /** Returns a number in [0, 1), from which the random share of a wait is computed. @default Math.random */
  readonly random?: (() => number) | undefined
  /** Number of attempts to resume a broken stream after its last event. @default 3 */
  readonly maxReconnects?: number | undefined
  /** Milliseconds before the first attempt to resume. The wait doubles with each attempt. @default 250 */
  readonly reconnectDelayMs?: number | undefined
}

/** Options of `AgentClient.process`. */
export interface ProcessOptions extends ReadAgentStreamOptions {
  /** Stops reading the stream when it is aborted. The run continues; use `cancel` to stop the run. */
  readonly signal?: AbortSignal | undefined
}

/** Options of `AgentClient.resume`. */
export interface ResumeStreamOptions extends ProcessOptions {
  /** Number of the last event that was read. @default -1, for all events */
  readonly startingAfter?: number | undefined
}

/** A client of an agent on a server. Holds no connection between requests. */
export interface AgentClient {
  /**
   * Sends a request and returns its stream. Resumes the stream after a broken connection, if the server supports that.
   * If the server restarts the stream, the client continues with the new stream. The stream never throws: a failure or
   * an abort ends it as failed.
   * @throws ParleyError `agent-request-failed` if the server cannot be reached or refuses before the stream starts.
   */
  process(request: AgentRequestInput, options?: ProcessOptions): Promise<AgentStream>
  /**
   * Sends a request with `stream: false` and returns the whole response. @throws ParleyError `agent-request-failed`.
   */
  ask(request: AgentRequestInput, options?: { readonly signal?: AbortSignal | undefined }): Promise<AgentResponse>
  /** Returns the stream of an earlier response. @throws ParleyError `agent-request-failed`. */
  resume(responseId: string, options?: ResumeStreamOptions): Promise<AgentStream>
  /** Stops the run behind a response. @throws ParleyError `agent-request-failed`. */
  cancel(responseId: string, options?: { readonly signal?: AbortSignal | undefined }): Promise<void>
}

// The same limit as for a message of an MCP server.
const LONGEST_RESPONSE = 64 * 1024 * 1024

const OPTIONS: OptionKinds<AgentClientOptions> = {
  baseUrl: 'string!',
  path: 'string',
  headers: 'object or function',
  fetch: 'function',
  retry: 'object',
  now: 'function',
  random: 'function',
  maxReconnects: 'number',
  reconnectDelayMs: 'number',
}

/** Creates a client of one agent. @throws ParleyError `config-invalid` if the retry policy is invalid. */
export function createAgentClient(options: AgentClientOptions): AgentClient {
  checkOptions('createAgentClient', options, OPTIONS)
  const {
    baseUrl,
    path = '/process',
    headers = {},
    fetch = globalThis.fetch,
    retry = {},
    now = Date.now,
    random = Math.random,
    maxReconnects = 3,
    reconnectDelayMs = 250,
  } = options
  checkRetryPolicy(retry, 'retry')
  const url = `${baseUrl.replace(/\/+$/, '')}${path}`

  async function send(to: string, init: RequestInit): Promise<Response> {
    const own = typeof headers === 'function' ? headers() : headers
    let response: Response
    try {
      response = await fetch(to, { ...init, headers: { ...(init.headers as Record<string, string>), ...own } })
    } catch (cause) {
      init.signal?.throwIfAborted()
      const detail = cause instanceof Error ? cause.message : String(cause)
      throw new ParleyError({ code: 'agent-request-failed', url: to, detail }, { cause })
    }
    if (!response.ok) throw await readRefusal(to, response, now())
    return response
  }

  const repeating = (work: () => Promise<Response>, signal: AbortSignal | undefined, isRepeatable: boolean) =>
    withRetries(work, { policy: retry, random, signal, isRepeatable })

  function post(to: string, body: unknown, { signal, isRepeatable = false }: PostOptions): Promise<Response> {
    const init = {
      signal: signal ?? null,
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', accept: 'text/event-stream, application/json' },
    }
    return repeating(() => send(to, init), signal, isRepeatable)
  }

  function open(responseId: string, after: number, signal: AbortSignal | undefined): Promise<Response> {
    const query = after < 0 ? '' : `?starting_after=${after}`
    const since: Record<string, string> = after < 0 ? {} : { 'last-event-id': String(after) }
    const to = `${url}/${encodeURIComponent(responseId)}/events${query}`
    return send(to, { signal: signal ?? null, headers: { accept: 'text/event-stream', ...since } })
  }

  function toStream(first: Response, options: ResumeStreamOptions): AgentStream {
    const { signal, observer, startingAfter = -1 } = options
    const reopen = (id: string, after: number): Promise<Response> => open(id, after, signal)
    const events = openReconnecting(first, { reopen, startingAfter, maxReconnects, reconnectDelayMs, signal })
    return readAgentStream(events, { observer })
  }

  return {
    async process(request, options = {}) {
      return toStream(await post(url, { ...request, stream: true }, options), options)
    },
    async ask(request, { signal } = {}) {
      const response = await post(url, { ...request, stream: false }, { signal })
      // Some servers always stream, even for `stream: false`.
      if (response.headers.get('content-type')?.includes('json') !== true)
        return toStream(response, { signal }).response()
      return readResponse(await readJson(response, url))
    },
    async resume(responseId, options = {}) {
      const { startingAfter = -1, signal } = options
      return toStream(await repeating(() => open(responseId, startingAfter, signal), signal, true), options)
    },
    async cancel(responseId, { signal } = {}) {
      const response = await post(`${url}/${encodeURIComponent(responseId)}/cancel`, {}, { signal, isRepeatable: true })
      await response.body?.cancel()
    },
  }
}

interface PostOptions {
  readonly signal?: AbortSignal | undefined
  readonly isRepeatable?: boolean | undefined
}

async function readJson(response: Response, url: string): Promise<JsonObject> {
  const fail = (detail: string, cause?: unknown): ParleyError =>
    new ParleyError({ code: 'agent-request-failed', url, status: response.status, detail }, { cause })
  const { text, cut } = await readLimitedText(response, LONGEST_RESPONSE)
  if (cut) throw fail(`the response has more than ${LONGEST_RESPONSE} bytes`)
  try {
    return JSON.parse(text) as JsonObject
  } catch (cause) {
    throw fail('the response is not valid JSON', cause)
  }
}

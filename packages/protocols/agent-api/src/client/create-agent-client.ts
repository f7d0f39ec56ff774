import { checkOptions, checkRetryPolicy, ParleyError, readLimitedText, type OptionKinds } from '@parley/core'
import { readAgentStream, type AgentStream } from '../stream/read-agent-stream.ts'
import type { AgentClient, AgentClientOptions, ResumeStreamOptions } from './agent-client.ts'
import { openReconnecting } from './open-reconnecting.ts'
import { parleyRoutes } from './parley-routes.ts'
import { createSender } from './create-sender.ts'
import { withRetries } from './with-retries.ts'
import { readResponse } from '../stream/read-value.ts'
import type { JsonObject } from '../schema/json-object.ts'

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
  const root = baseUrl.replace(/\/+$/, '')
  const url = `${root}${path}`

  const send = createSender({ headers, fetch, now })
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

  const read = async (to: string, signal: AbortSignal | undefined): Promise<JsonObject> => {
    const init = { signal: signal ?? null, headers: { accept: 'application/json' } }
    return readJson(await repeating(() => send(to, init), signal, true), to)
  }
  const stream = async (to: string, body: JsonObject, options: ResumeStreamOptions): Promise<AgentStream> =>
    toStream(await post(to, body, options), options)

  return {
    ...parleyRoutes({ root, url, read, stream }),
    async process(request, options = {}) {
      return stream(url, { ...request, stream: true }, options)
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

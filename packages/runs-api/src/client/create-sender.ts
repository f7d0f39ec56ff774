import { ParleyError } from '@parley/core'
import type { CallOptions, RunsClientOptions } from './runs-client.ts'

/** Sends the requests of one client. */
export interface Sender {
  /** Sends a GET request. The fields of `query` except `signal` become query parameters. */
  readonly get: <TAnswer>(path: string, query?: CallOptions) => Promise<TAnswer>
  readonly post: <TAnswer>(path: string, body: object, options?: CallOptions) => Promise<TAnswer>
  /** Opens a stream of server-sent events. */
  readonly open: (path: string, query?: CallOptions) => Promise<ReadableStream<Uint8Array>>
}

export function createSender({ baseUrl, key, fetch = globalThis.fetch }: RunsClientOptions): Sender {
  const base = baseUrl.replace(/\/+$/, '')
  const identity: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` }

  async function send(path: string, init: RequestInit): Promise<Response> {
    const url = `${base}${path}`
    const response = await fetch(url, init).catch((cause: unknown) => {
      if (init.signal?.aborted === true) throw cause
      const detail = cause instanceof Error ? cause.message : String(cause)
      throw new ParleyError({ code: 'agent-request-failed', url, detail }, { cause })
    })
    if (!response.ok) throw await refusalOf(response, url)
    return response
  }

  return {
    get: async (path, { signal, ...query } = {}) =>
      answerOf(await send(`${path}${toQuery(query)}`, toInit({ headers: identity }, signal))),
    post: async (path, body, { signal } = {}) => {
      const headers = { ...identity, 'content-type': 'application/json' }
      return answerOf(await send(path, toInit({ method: 'POST', headers, body: JSON.stringify(body) }, signal)))
    },
    open: async (path, { signal, ...query } = {}) => {
      const headers = { ...identity, accept: 'text/event-stream' }
      const { body } = await send(`${path}${toQuery(query)}`, toInit({ headers, cache: 'no-store' }, signal))
      return body ?? new ReadableStream({ start: controller => controller.close() })
    },
  }
}

/** `fetch` of some platforms refuses the signal `undefined`. */
function toInit(init: RequestInit, signal: AbortSignal | undefined): RequestInit {
  return signal === undefined ? init : { ...init, signal }
}

type QueryValue = string | number | boolean | readonly string[] | undefined

function toQuery(fields: object): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields) as [string, QueryValue][])
    if (value !== undefined) query.set(name, String(value))
  return query.size === 0 ? '' : `?${query.toString()}`
}

async function answerOf<TAnswer>(response: Response): Promise<TAnswer> {
  return (await response.json()) as TAnswer
}

/** Reads a refusal. A proxy in front of the server answers with other bodies. */
async function refusalOf(response: Response, url: string): Promise<ParleyError> {
  const { status, headers } = response
  const text = await response.text().catch(() => '')
  const { code, message } = problemOf(text)
  const seconds = Number(headers.get('retry-after') ?? '')
  return new ParleyError({
    code: 'agent-request-failed',
    url,
    status,
    ...(code === undefined ? {} : { remoteCode: code }),
    detail: message ?? (text === '' ? response.statusText : text.slice(0, 200)),
    ...(seconds > 0 ? { retryAfterMs: seconds * 1000 } : {}),
  })
}

function problemOf(text: string): { readonly code?: string; readonly message?: string } {
  try {
    const { error } = JSON.parse(text) as { readonly error?: { readonly code?: string; readonly message?: string } }
    return error ?? {}
  } catch {
    return {}
  }
}

import { ParleyError } from '@parley/core'
import type { AgentClientOptions } from './agent-client.ts'
import { readRefusal } from './read-refusal.ts'

type SenderOptions = Pick<AgentClientOptions, 'headers'> & {
  readonly fetch: typeof globalThis.fetch
  readonly now: () => number
}

/** Creates a function that sends a request. It throws ParleyError `agent-request-failed` if the server refuses it. */
export function createSender({ headers = {}, fetch, now }: SenderOptions) {
  return async (to: string, init: RequestInit): Promise<Response> => {
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
}

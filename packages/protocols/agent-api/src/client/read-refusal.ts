import { ParleyError, readLimitedText, retryAfterOf } from '@parley/core'

const LONGEST_REFUSAL = 65_536

/** Turns a response with an error status into an error. @param now Milliseconds since the epoch. */
export async function readRefusal(url: string, response: Response, now: number): Promise<ParleyError> {
  const { text } = await readLimitedText(response, LONGEST_REFUSAL).catch(() => ({ text: '' }))
  const retryAfterMs = retryAfterOf(response.headers, now)
  const { code, message } = readProblem(text)
  return new ParleyError({
    code: 'agent-request-failed',
    url,
    status: response.status,
    ...(code === undefined ? {} : { remoteCode: code }),
    detail: message ?? (text.slice(0, 200) || response.statusText || 'the server gave no reason'),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  })
}

function readProblem(text: string): { readonly code?: string | undefined; readonly message?: string | undefined } {
  try {
    const body = JSON.parse(text) as { error?: unknown; detail?: unknown } | null
    const error = body?.error
    if (typeof error === 'string') return { message: error }
    if (typeof error !== 'object' || error === null) {
      return body?.detail === undefined ? {} : { message: JSON.stringify(body.detail) }
    }
    const { code, message } = error as { code?: unknown; message?: unknown }
    return {
      code: typeof code === 'string' ? code : undefined,
      message: typeof message === 'string' ? message : undefined,
    }
  } catch {
    return {}
  }
}

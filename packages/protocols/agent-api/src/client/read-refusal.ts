import { ParleyError } from '@parley/core'

/** Turns a response with an error status into an error. */
export async function readRefusal(url: string, response: Response): Promise<ParleyError> {
  const text = await response.text().catch(() => '')
  const { code, message } = readProblem(text)
  return new ParleyError({
    code: 'agent-request-failed',
    url,
    status: response.status,
    ...(code === undefined ? {} : { remoteCode: code }),
    detail: message ?? (text.slice(0, 200) || response.statusText || 'the server gave no reason'),
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

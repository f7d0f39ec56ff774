import { ParleyError, toErrorInfo, type ErrorInfo } from '@parley/core'
import { errorInfoSchema } from '@parley/core/schema'
import { TerminalError } from '@restatedev/restate-sdk'
import { HttpCallError } from '@restatedev/restate-sdk-clients'

const KEY = 'parley'

/** A foreseen failure on its way through Restate: no other attempt would meet another. */
export function toTerminalError(info: ErrorInfo): TerminalError {
  const error = new ParleyError(info)
  return new TerminalError(error.message, { errorCode: 409, metadata: { [KEY]: JSON.stringify(info) } })
}

/** What a call through the ingress failed with, as a `ParleyError`. */
export function fromCallError(cause: unknown, ingress: string): ParleyError {
  if (ParleyError.is(cause)) return cause
  const info = cause instanceof HttpCallError ? foreseen(cause.responseText) : undefined
  if (info !== undefined) return new ParleyError(info)
  const detail = cause instanceof HttpCallError ? cause.message : reasonOf(cause)
  return new ParleyError({ code: 'request-invalid', path: ingress, detail }, { cause })
}

/** A call through the ingress, whose failure is told as everything else's is. */
export async function called<TValue>(
  ingress: string,
  call: () => PromiseLike<TValue>,
  signal?: AbortSignal,
): Promise<TValue> {
  try {
    return await call()
  } catch (cause) {
    if (signal?.aborted === true) throw signal.reason
    throw fromCallError(cause, ingress)
  }
}

function foreseen(body: string): ErrorInfo | undefined {
  try {
    const { metadata } = JSON.parse(body) as { metadata?: Record<string, string> }
    return errorInfoSchema.safeParse(JSON.parse(metadata?.[KEY] ?? '')).data
  } catch {
    return undefined
  }
}

/** `fetch` hides what happened in the cause of its error. */
function reasonOf(cause: unknown): string {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
  const info = toErrorInfo(inner)
  return info.code === 'internal' ? info.detail : info.code
}

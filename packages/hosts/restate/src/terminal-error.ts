import { ParleyError, toErrorInfo, type ErrorInfo } from '@parley/core'
import { errorInfoSchema } from '@parley/core/schema'
import { TerminalError } from '@restatedev/restate-sdk'
import { HttpCallError } from '@restatedev/restate-sdk-clients'

const KEY = 'parley'

/** An expected failure as Restate's terminal error: Restate does not retry it. */
export function toTerminalError(info: ErrorInfo): TerminalError {
  const error = new ParleyError(info)
  return new TerminalError(error.message, { errorCode: 409, metadata: { [KEY]: JSON.stringify(info) } })
}

/** Converts the failure of a call through the ingress to a `ParleyError`. */
export function fromCallError(cause: unknown, ingress: string): ParleyError {
  if (ParleyError.is(cause)) return cause
  const info = cause instanceof HttpCallError ? readErrorInfo(cause.responseText) : undefined
  if (info !== undefined) return new ParleyError(info)
  const detail = cause instanceof HttpCallError ? cause.message : reasonOf(cause)
  return new ParleyError({ code: 'request-invalid', path: ingress, detail }, { cause })
}

/** Calls the ingress. Failures become `ParleyError`s; an abort throws the reason of the signal. */
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

function readErrorInfo(body: string): ErrorInfo | undefined {
  try {
    const { metadata } = JSON.parse(body) as { metadata?: Record<string, string> }
    return errorInfoSchema.safeParse(JSON.parse(metadata?.[KEY] ?? '')).data
  } catch {
    return undefined
  }
}

/** Returns why a request failed. `fetch` throws "fetch failed" and puts the reason into `cause`. */
function reasonOf(cause: unknown): string {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
  const info = toErrorInfo(inner)
  return info.code === 'internal' ? info.detail : info.code
}

const TRANSIENT: ReadonlySet<ErrorInfo['code']> = new Set([
  'internal',
  'run-busy',
  'runtime-closed',
  'store-conflict',
  'store-fenced',
  'store-unavailable',
])

/** Whether another attempt, perhaps on another worker, may succeed. */
export function isTransient({ code }: ParleyError): boolean {
  return TRANSIENT.has(code)
}

import { backoffMs, ParleyError, type RetryPolicy } from '@parley/core'
import { wait } from './wait.ts'

export interface RetryOptions {
  readonly policy: RetryPolicy
  readonly random: () => number
  readonly signal?: AbortSignal | undefined
  /**
   * Whether a repetition has no effect of its own. A request that starts a run is repeated only if the server cannot have started
   * one.
   */
  readonly isRepeatable: boolean
}

/** Sends a request, and sends it again after failures that are likely to pass. Throws the last failure. */
export async function withRetries(send: () => Promise<Response>, options: RetryOptions): Promise<Response> {
  const { policy, random, signal, isRepeatable } = options
  const { maxRetries = 2, maxWaitMs = 60_000 } = policy
  for (let failures = 1; ; failures += 1) {
    try {
      return await send()
    } catch (error) {
      if (failures > maxRetries || !isRecoverable(error, isRepeatable)) throw error
      const delayMs = error.info.retryAfterMs ?? backoffMs(failures, random(), policy)
      if (delayMs > maxWaitMs) throw error
      await wait(delayMs, signal)
    }
  }
}

type RequestFailure = ParleyError<Extract<ParleyError['info'], { code: 'agent-request-failed' }>>

/** Statuses with which a server refuses a request before it does anything. */
const REFUSALS: ReadonlySet<number> = new Set([429, 503])
const TIMEOUTS: ReadonlySet<number> = new Set([408, 425])
/** Codes of connections that were never open. */
const UNREACHED: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])

function isRecoverable(error: unknown, isRepeatable: boolean): error is RequestFailure {
  if (!ParleyError.is(error, 'agent-request-failed')) return false
  const { status, retryAfterMs } = error.info
  if (status === undefined) return isRepeatable || UNREACHED.has(codeOf(error.cause))
  if (REFUSALS.has(status)) return true
  return (status >= 500 || TIMEOUTS.has(status)) && (isRepeatable || retryAfterMs !== undefined)
}

/** Returns the code of a failed connection. `fetch` puts the error of the connection into `cause`. */
function codeOf(error: unknown): unknown {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return inner instanceof Error && 'code' in inner ? inner.code : undefined
}

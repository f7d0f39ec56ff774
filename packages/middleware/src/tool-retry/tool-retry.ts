import {
  backoffMs,
  checkOptions,
  checkRetryPolicy,
  defineMiddleware,
  systemClock,
  type Clock,
  type Middleware,
  type RetryPolicy,
  type ToolCall,
  type ToolFailure,
  type OptionKinds,
} from '@parley/core'
import { wait } from '../clock/wait.ts'

/**
 * A `RetryPolicy`, and what else concerns tools. A tool requests a wait with `metadata.retryAfterMs` of its failure; if it is longer
 * than `maxWaitMs`, the failure is the result.
 */
export interface ToolRetryOptions extends RetryPolicy {
  /** Decides which failures are retried. @default retryable failures, and timeouts and lost connections of tools with effect `read` or `idempotent` */
  readonly when?: ((failure: ToolFailure, call: ToolCall) => boolean) | undefined
  /** Called before each delay. @default none */
  readonly onRetry?: ((notice: ToolRetryNotice) => void) | undefined
  /** Source of time and timers. @default systemClock */
  readonly clock?: Clock | undefined
  /** Returns a number from 0 to 1. @default Math.random */
  readonly random?: (() => number) | undefined
}

/** A failed attempt that will be repeated. */
export interface ToolRetryNotice {
  readonly call: ToolCall
  readonly failure: ToolFailure
  /** The attempt that failed, from 1. */
  readonly attempt: number
  readonly delayMs: number
}

const OPTIONS: OptionKinds<ToolRetryOptions> = {
  maxRetries: 'number',
  maxWaitMs: 'number',
  initialDelayMs: 'number',
  backoff: ['exponential', 'linear'],
  factor: 'number',
  maxDelayMs: 'number',
  jitter: 'number',
  when: 'function',
  onRetry: 'function',
  clock: 'clock',
  random: 'function',
}

/**
 * Repeats tool calls that failed for a temporary reason. If the run is stopped, the wait ends and the last failure is the
 * result.
 * @throws ParleyError `config-invalid` if an option is unknown or a value is invalid.
 */
export function toolRetry(options: ToolRetryOptions = {}): Middleware {
  checkOptions('toolRetry', options, OPTIONS)
  const { when = isTemporary, onRetry, clock = systemClock, random = Math.random, ...policy } = options
  const { maxRetries = 2, maxWaitMs = 60_000 } = policy
  checkRetryPolicy(policy, 'toolRetry')

  return defineMiddleware('tool-retry', () => ({
    async tool(call, next) {
      for (let attempt = 1; ; attempt++) {
        const outcome = await next(call)
        if (outcome.type !== 'error' || attempt > maxRetries) return outcome
        if (call.signal.aborted || !when(outcome, call)) return outcome
        const delayMs = retryAfterOf(outcome) ?? backoffMs(attempt, random(), policy)
        if (delayMs > maxWaitMs) return outcome
        onRetry?.({ call, failure: outcome, attempt, delayMs })
        try {
          await wait(clock, delayMs, call.signal)
        } catch {
          return outcome
        }
      }
    },
  }))
}

const TEMPORARY: readonly (string | undefined)[] = ['tool-timeout', 'mcp-server-failed', 'mcp-request-failed']

/** Returns whether a failure is temporary. A tool of effect `once` is repeated only if its own failure is retryable. */
function isTemporary({ retryable, error }: ToolFailure, { tool }: ToolCall): boolean {
  if (retryable) return true
  const mayRepeat = tool.effect === 'read' || tool.effect === 'idempotent'
  if (!mayRepeat || !TEMPORARY.includes(error?.code)) return false
  return error?.code !== 'mcp-request-failed' || error.reason === 'timeout' || error.reason === 'lost'
}

function retryAfterOf({ metadata }: ToolFailure): number | undefined {
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return undefined
  const { retryAfterMs } = metadata
  return typeof retryAfterMs === 'number' && retryAfterMs >= 0 ? retryAfterMs : undefined
}

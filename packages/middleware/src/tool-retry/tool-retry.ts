import {
  checkOptions,
  defineMiddleware,
  ParleyError,
  systemClock,
  checkNumber,
  type Clock,
  type Middleware,
  type ToolCall,
  type ToolFailure,
  type OptionKinds,
} from '@parley/core'
import { wait } from '../clock/wait.ts'

export interface ToolRetryOptions {
  /** Maximum number of attempts, the first included. @default 3 */
  readonly attempts?: number | undefined
  /** Delay before the second attempt, in milliseconds. @default 500 */
  readonly baseDelayMs?: number | undefined
  /**
   * Growth of the delays: `exponential` multiplies each by `factor`, `linear` adds `baseDelayMs` each time.
   * @default 'exponential'
   */
  readonly backoff?: 'exponential' | 'linear' | undefined
  /**
   * Factor by which each delay is longer than the delay before it; 1 keeps delays equal. Only for exponential backoff.
   * @default 2
   */
  readonly factor?: number | undefined
  /** Maximum delay in milliseconds. Also limits the delay that a tool asks for with `metadata.retryAfterMs`. @default 30_000 */
  readonly maxDelayMs?: number | undefined
  /** Share of a delay by which it varies at random, in both directions. @default 0.2 */
  readonly jitter?: number | undefined
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
  attempts: 'number',
  baseDelayMs: 'number',
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
  const { attempts = 3, baseDelayMs = 500, factor = 2, maxDelayMs = 30_000, jitter = 0.2 } = options
  const { backoff = 'exponential', when = isTemporary, onRetry, clock = systemClock, random = Math.random } = options
  checkNumber({ path: 'toolRetry.attempts', value: attempts, whole: true })
  checkNumber({ path: 'toolRetry.baseDelayMs', value: baseDelayMs, min: 0 })
  checkBackoff(options)
  checkNumber({ path: 'toolRetry.factor', value: factor, min: 1 })
  checkNumber({ path: 'toolRetry.maxDelayMs', value: maxDelayMs, min: 0 })
  checkNumber({ path: 'toolRetry.jitter', value: jitter, min: 0 })

  function delayAfter(attempt: number, failure: ToolFailure): number {
    const asked = retryAfterOf(failure)
    if (asked !== undefined) return Math.min(asked, maxDelayMs)
    const growth = backoff === 'linear' ? attempt : factor ** (attempt - 1)
    const delay = baseDelayMs * growth * (1 + jitter * (2 * random() - 1))
    return Math.min(Math.max(delay, 0), maxDelayMs)
  }

  return defineMiddleware('tool-retry', () => ({
    async tool(call, next) {
      for (let attempt = 1; ; attempt++) {
        const outcome = await next(call)
        if (outcome.type !== 'error' || attempt >= attempts) return outcome
        if (call.signal.aborted || !when(outcome, call)) return outcome
        const delayMs = delayAfter(attempt, outcome)
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

function checkBackoff({ backoff = 'exponential', factor }: ToolRetryOptions): void {
  if (backoff !== 'exponential' && backoff !== 'linear')
    refuse('backoff', `is '${String(backoff)}'; must be exponential or linear`)
  if (backoff === 'linear' && factor !== undefined) refuse('factor', 'has no effect on linear backoff')
}

function refuse(option: string, detail: string): never {
  throw new ParleyError({ code: 'config-invalid', path: `toolRetry.${option}`, detail })
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

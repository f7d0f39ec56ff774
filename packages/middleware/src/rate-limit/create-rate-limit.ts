import {
  checkOptions,
  defineMiddleware,
  ParleyError,
  totalTokens,
  systemClock,
  checkNumber,
  type Clock,
  type Middleware,
  type ModelCall,
  type ModelEvent,
  type ModelRequest,
  type RunFacts,
  type OptionKinds,
} from '@parley/core'
import { wait } from '../clock/wait.ts'
import { estimateTokens } from './estimate-tokens.ts'
import { Quotas, type Ticket } from './quotas.ts'

export interface RateLimitOptions {
  /** Maximum model calls in each interval. @default unlimited */
  readonly requests?: number | undefined
  /** Maximum tokens of input and output in each interval. @default unlimited */
  readonly tokens?: number | undefined
  /** Length of an interval, in milliseconds. @default 60_000 */
  readonly intervalMs?: number | undefined
  /** What happens to a call above the limit: `wait` delays it, `refuse` fails it with `model-rate-limited`. @default 'wait' */
  readonly onLimit?: 'wait' | 'refuse' | undefined
  /** Maximum milliseconds to wait. A call that would wait longer is refused. @default 60_000 */
  readonly maxWaitMs?: number | undefined
  /** Returns the key of a call. Calls with the same key share a limit. @default all calls share one limit */
  readonly key?: ((run: RunFacts, call: ModelCall) => string) | undefined
  /** Estimates the tokens to reserve before a call. The real usage replaces the estimate later. @default a quarter of the characters, plus `maxOutputTokens` */
  readonly estimate?: ((request: ModelRequest) => number) | undefined
  /** Called before each wait. @default none */
  readonly onWait?: ((wait: RateLimitWait) => void) | undefined
  /** Source of time and timers. @default systemClock */
  readonly clock?: Clock | undefined
}

/** A call that waits for the rate limit. */
export interface RateLimitWait {
  readonly runId: string
  readonly key: string
  readonly delayMs: number
}

type Next = (call: ModelCall) => AsyncIterable<ModelEvent>

const OPTIONS: OptionKinds<RateLimitOptions> = {
  requests: 'number',
  tokens: 'number',
  intervalMs: 'number',
  onLimit: ['wait', 'refuse'],
  maxWaitMs: 'number',
  key: 'function',
  estimate: 'function',
  onWait: 'function',
  clock: 'clock',
}

/**
 * Keeps model calls within a rate, over all runs that share this middleware. The calls of a whole interval may come at once.
 * Further calls wait in the order in which they came. A waiting call emits `model.retrying` and stops waiting when its run is
 * stopped. A refused call fails with `model-rate-limited`.
 * @throws ParleyError `config-invalid` if neither `requests` nor `tokens` is given, an option is unknown, or a number is
 * invalid.
 */
export function createRateLimit(options: RateLimitOptions): Middleware {
  checkOptions('rateLimit', options, OPTIONS)
  const { requests, tokens, intervalMs = 60_000, onLimit = 'wait', maxWaitMs = 60_000 } = options
  const { key = () => '', estimate = estimateTokens, onWait, clock = systemClock } = options
  check(options)
  const quotas = new Quotas({ clock, requests, tokens, intervalMs })

  function reserve(run: RunFacts, call: ModelCall): Ticket {
    const name = key(run, call)
    const ticket = quotas.take(name, tokens === undefined ? 0 : estimate(call.request))
    const { delayMs } = ticket
    if (delayMs === 0 || (onLimit === 'wait' && delayMs <= maxWaitMs)) return ticket
    ticket.cancel()
    throw limited(call, delayMs)
  }

  function paced(run: RunFacts, call: ModelCall, next: Next): AsyncIterable<ModelEvent> {
    const ticket = reserve(run, call)
    const open = (): AsyncIterable<ModelEvent> => (tokens === undefined ? next(call) : metered(ticket, next(call)))
    if (ticket.delayMs === 0) return open()
    onWait?.({ runId: run.runId, key: key(run, call), delayMs: ticket.delayMs })
    return afterWaiting(clock, { call, ticket, open })
  }

  return defineMiddleware('rate-limit', run => ({ model: (call, next) => paced(run, call, next) }))
}

interface Waiting {
  readonly call: ModelCall
  readonly ticket: Ticket
  readonly open: () => AsyncIterable<ModelEvent>
}

async function* afterWaiting(clock: Clock, { call, ticket, open }: Waiting): AsyncGenerator<ModelEvent> {
  const { delayMs } = ticket
  let waited = false
  try {
    yield { type: 'retry', attempt: 0, delayMs, error: limited(call, delayMs).info }
    await wait(clock, delayMs, call.signal)
    waited = true
  } finally {
    // If the reader left or the run was stopped, another call may use the place.
    if (!waited) ticket.cancel()
  }
  yield* open()
}

async function* metered(ticket: Ticket, events: AsyncIterable<ModelEvent>): AsyncGenerator<ModelEvent> {
  let used = 0
  try {
    for await (const event of events) {
      if (event.type === 'usage') used = totalTokens(event.usage)
      yield event
    }
  } finally {
    ticket.settle(used)
  }
}

function limited(
  { model: { provider, id } }: ModelCall,
  retryAfterMs: number,
): ParleyError<Extract<ParleyError['info'], { code: 'model-rate-limited' }>> {
  const detail = `This process keeps its own rate limit; the call may be made in ${retryAfterMs} ms.`
  return new ParleyError({ code: 'model-rate-limited', provider, model: id, detail, retryAfterMs })
}

function check(options: RateLimitOptions): void {
  const { requests, tokens, intervalMs, maxWaitMs } = options
  checkNumber({ path: 'rateLimit.requests', value: requests })
  checkNumber({ path: 'rateLimit.tokens', value: tokens })
  checkNumber({ path: 'rateLimit.intervalMs', value: intervalMs })
  checkNumber({ path: 'rateLimit.maxWaitMs', value: maxWaitMs, min: 0 })
  if (requests !== undefined || tokens !== undefined) return
  throw new ParleyError({ code: 'config-invalid', path: 'rateLimit', detail: 'requires requests, tokens or both' })
}

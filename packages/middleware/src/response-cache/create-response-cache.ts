import {
  canonicalJson,
  checkOptions,
  defineMiddleware,
  ZERO_USAGE,
  systemClock,
  checkNumber,
  type Clock,
  type FinishReason,
  type Middleware,
  type ModelCall,
  type ModelEvent,
  type RunFacts,
  type OptionKinds,
} from '@parley/core'
import { jsonDigest } from '../json/json-digest.ts'
import { CacheEntries } from './cache-entries.ts'

export interface ResponseCacheOptions {
  /** Milliseconds for which an answer is reused. @default 3_600_000 */
  readonly ttlMs?: number | undefined
  /** Approximate memory for all answers together, in bytes. @default 16 MiB */
  readonly maxBytes?: number | undefined
  /** Returns the scope of a run. Runs with the same scope share answers. @default the run's scope and its principal's id */
  readonly scope?: ((run: RunFacts) => string) | undefined
  /** Called for each lookup. @default none */
  readonly onLookup?: ((lookup: CacheLookup) => void) | undefined
  /** Source of time and timers. @default systemClock */
  readonly clock?: Clock | undefined
}

/** One lookup in the cache. */
export interface CacheLookup {
  readonly runId: string
  readonly turn: number
  /** Whether the answer came from the cache. */
  readonly hit: boolean
}

/** Finish reasons of complete answers. An answer that was truncated, filtered or refused is not cached. */
const WHOLE: readonly FinishReason[] = ['stop', 'tool-calls']

const OPTIONS: OptionKinds<ResponseCacheOptions> = {
  ttlMs: 'number',
  maxBytes: 'number',
  scope: 'function',
  onLookup: 'function',
  clock: 'clock',
}

/**
 * Caches the answers of models. A request with the same model, instructions, messages, tools and settings, within one scope,
 * gets the earlier answer. A cached answer has the same events and uses no tokens. Failures and incomplete answers are never
 * cached.
 * @throws ParleyError `config-invalid` if an option is unknown or a number is invalid.
 */
export function createResponseCache(options: ResponseCacheOptions = {}): Middleware {
  checkOptions('responseCache', options, OPTIONS)
  const { ttlMs = 3_600_000, maxBytes = 16 * 1024 * 1024, scope = ownScope } = options
  const { onLookup, clock = systemClock } = options
  checkNumber({ path: 'responseCache.ttlMs', value: ttlMs })
  checkNumber({ path: 'responseCache.maxBytes', value: maxBytes })
  const entries = new CacheEntries({ clock, ttlMs, maxBytes })

  async function* answer(
    run: RunFacts,
    call: ModelCall,
    next: (call: ModelCall) => AsyncIterable<ModelEvent>,
  ): AsyncGenerator<ModelEvent> {
    const key = await keyOf(scope(run), call)
    call.signal.throwIfAborted()
    const known = entries.get(key)
    onLookup?.({ runId: run.runId, turn: call.turn, hit: known !== undefined })
    if (known !== undefined) {
      // Reports a usage of zero, because no model was called.
      yield { type: 'usage', usage: ZERO_USAGE }
      yield* known
      return
    }
    const events: ModelEvent[] = []
    for await (const event of next(call)) {
      // Retries and usage belong to the original call only.
      if (event.type !== 'retry' && event.type !== 'usage') events.push(event)
      // Stored before it is passed on, because a reader may stop reading after the finish event.
      if (event.type === 'finish' && WHOLE.includes(event.reason)) entries.put(key, events)
      yield event
    }
  }

  return defineMiddleware('response-cache', run => ({ model: (call, next) => answer(run, call, next) }))
}

function ownScope({ scope, principal }: RunFacts): string {
  return canonicalJson([scope, principal?.id ?? null])
}

function keyOf(scope: string, { model: { provider, id }, request }: ModelCall): Promise<string> {
  return jsonDigest([scope, provider, id, request])
}

import {
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
} from '@parley/core'
import { canonicalJson, jsonDigest } from '../json/canonical-json.ts'
import { checkFields } from '../options/check-fields.ts'
import { CacheEntries } from './cache-entries.ts'

export interface ResponseCacheOptions {
  /** How long an answer may be given again. @default 3_600_000 */
  readonly ttlMs?: number | undefined
  /** Memory for all answers together, roughly. @default 16 MB */
  readonly maxBytes?: number | undefined
  /** Runs of one scope share answers. @default the run's scope and its principal's id */
  readonly scope?: ((run: RunFacts) => string) | undefined
  readonly onLookup?: ((lookup: CacheLookup) => void) | undefined
  readonly clock?: Clock | undefined
}

export interface CacheLookup {
  readonly runId: string
  readonly turn: number
  readonly hit: boolean
}

/** An answer that was cut off, filtered or refused is not the model's answer to that request. */
const WHOLE: readonly FinishReason[] = ['stop', 'tool-calls']

/**
 * Gives a request the answer it got before: the same model, instructions, messages, tools and settings, within one scope.
 * A repeated answer has the same events and takes no tokens. Failures and partial answers are never kept.
 * @throws ParleyError `config-invalid`.
 */
export function createResponseCache(options: ResponseCacheOptions = {}): Middleware {
  const { ttlMs = 3_600_000, maxBytes = 16 * 1024 * 1024, scope = ownScope } = options
  const { onLookup, clock = systemClock } = options
  checkFields('responseCache', options, ['ttlMs', 'maxBytes', 'scope', 'onLookup', 'clock'])
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
      // Nobody counts what nobody was asked, and it costs nothing.
      yield { type: 'usage', usage: ZERO_USAGE }
      yield* known
      return
    }
    const events: ModelEvent[] = []
    for await (const event of next(call)) {
      // Waits and tokens belong to the call that was made.
      if (event.type !== 'retry' && event.type !== 'usage') events.push(event)
      // Before it is passed on: a reader need not ask for more after the end.
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

import type { Model } from '@parley/core'
import { createFallbackStream } from './create-fallback-stream.ts'
import { jointModelInfo } from './joint-model-info.ts'

/**
 * Combines several models into one. Each call goes to the first model. If it fails before it emits a part of the
 * answer, the call goes to the next model. This happens only for causes that may not affect the next model: network,
 * overload, rate limit, server failure, broken stream or timeout. Each model first retries by its own policy. A `retry`
 * event without delay announces the next model; it contains the error and the names of both models. If the last model
 * fails, its error is thrown.
 *
 * The call stays with its model after visible output, so that one model writes the whole answer. No other model is
 * tried after a cancellation, for an invalid key or an exhausted quota, or for a request that is rejected or too long.
 * `info` contains the facts that apply to all models.
 */
export function fallback(first: Model, ...others: readonly Model[]): Model {
  const models = [first, ...others]
  return {
    provider: 'fallback',
    id: models.map(({ provider, id }) => `${provider}/${id}`).join('|'),
    info: jointModelInfo(models),
    stream: (request, options) => createFallbackStream({ ...options, models, request }),
  }
}

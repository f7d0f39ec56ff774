import type { Model } from '@parley/core'
import { createFallbackStream } from './create-fallback-stream.ts'
import { jointModelInfo } from './joint-model-info.ts'

/**
 * One model out of several: each call goes to the first, and to the next one when it fails before it showed anything,
 * for a cause another model may not share (network, overload, rate limit, a failure of the server, a broken stream, a
 * timeout). Each model retries by its own rules first. Moving on is announced as a `retry` event without delay that
 * carries the error and names both models; the error of the last one is thrown.
 *
 * Never moves on after visible output, so that an answer is of one model; nor on cancellation, a bad key, a spent
 * quota, a request that was refused or one too long. `info` is what holds for all of them.
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

import { ParleyError, type Model, type ModelCallOptions, type ModelEvent, type ModelRequest } from '@parley/core'
import { fallsThrough, isVisibleEvent } from '../retry/is-retryable.ts'

export interface FallbackStreamOptions extends ModelCallOptions {
  /** The models, in the order in which they are tried. */
  readonly models: readonly Model[]
  readonly request: ModelRequest
}

const DONE: IteratorResult<ModelEvent, undefined> = { value: undefined, done: true }

/**
 * Streams the answer of the first model that succeeds, and adds a `retry` event for each model that fails. Reads from
 * the model only when its reader reads. It is not a generator, because the `return` of a generator waits for a pending
 * `next`.
 */
export function createFallbackStream(options: FallbackStreamOptions): AsyncIterable<ModelEvent> {
  const { models, request, signal, retry } = options
  let tried = 0
  let visible = false
  let left = false
  let current: AsyncIterator<ModelEvent, unknown> | undefined

  /** Switches to the next model and returns the event that announces it. Throws `error` if the call must not continue. */
  function switchModel(error: unknown): ModelEvent {
    const [failed, following] = models.slice(tried)
    const isOver = visible || signal?.aborted === true || failed === undefined || following === undefined
    if (isOver || !ParleyError.is(error) || !fallsThrough(error.info)) throw error
    tried++
    current = undefined
    const fallback = { from: nameOf(failed), to: nameOf(following) }
    return { type: 'retry', attempt: tried, delayMs: 0, error: error.info, fallback }
  }

  async function next(): Promise<IteratorResult<ModelEvent, undefined>> {
    if (left) return DONE
    try {
      current ??= models[tried]?.stream(request, { signal, retry })[Symbol.asyncIterator]()
      const result = await current?.next()
      if (left || result === undefined || result.done === true) return DONE
      visible ||= isVisibleEvent(result.value)
      return result
    } catch (error) {
      if (left) return DONE
      return { value: switchModel(error), done: false }
    }
  }

  const iterator: AsyncIterator<ModelEvent, undefined> = {
    next,
    return() {
      left = true
      // Not awaited: if the model is a generator, its `return` queues behind the pending pull.
      current?.return?.().catch(() => undefined)
      return Promise.resolve(DONE)
    },
  }
  return { [Symbol.asyncIterator]: () => iterator }
}

function nameOf({ provider, id }: Model): string {
  return `${provider}/${id}`
}

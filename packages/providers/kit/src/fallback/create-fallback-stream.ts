import { ParleyError, type Model, type ModelCallOptions, type ModelEvent, type ModelRequest } from '@parley/core'
import { fallsThrough } from './falls-through.ts'
import { isVisibleEvent } from '../retry/is-visible-event.ts'

export interface FallbackStreamOptions extends ModelCallOptions {
  /** In the order they are tried. */
  readonly models: readonly Model[]
  readonly request: ModelRequest
}

const DONE: IteratorResult<ModelEvent, undefined> = { value: undefined, done: true }

/** The answer of the first model that gives one. Hands the model's own events on; adds a `retry` for each that failed. */
export function createFallbackStream(options: FallbackStreamOptions): AsyncIterable<ModelEvent> {
  const { models, request, signal, retry } = options
  let tried = 0
  let visible = false
  let left = false
  let current: AsyncIterator<ModelEvent, unknown> | undefined

  /** The event that announces the next model; throws when there is none to go to. */
  function moveOn(error: unknown): ModelEvent {
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
      return { value: moveOn(error), done: false }
    }
  }

  const iterator: AsyncIterator<ModelEvent, undefined> = {
    next,
    return() {
      left = true
      // Not awaited: the return of a generator queues behind its pending pull.
      current?.return?.().catch(() => undefined)
      return Promise.resolve(DONE)
    },
  }
  return { [Symbol.asyncIterator]: () => iterator }
}

function nameOf({ provider, id }: Model): string {
  return `${provider}/${id}`
}

import type { HttpBodyReader } from './http-fetch.ts'

type ReadResult = Awaited<ReturnType<HttpBodyReader['read']>>

/** A queue of body chunks: the dispatcher pushes, the reader pulls. */
export interface ChunkQueue extends HttpBodyReader {
  /** Adds a chunk. Returns `false` to pause the dispatcher until `resume` is called. */
  push(chunk: Uint8Array): boolean
  /** Ends the body. The reader gets the remaining chunks first; then `read` rejects with `failure`, if given. */
  end(failure?: { readonly error: unknown }): void
}

export interface ChunkQueueOptions {
  /** Resumes the paused dispatcher. */
  readonly resume: () => void
  /** Called if the reader cancels before the end. */
  readonly cancel: () => void
}

// Unread chunks at which the dispatcher pauses. A chunk has at most 64 KiB.
const HIGH_WATER = 16

const DONE: ReadResult = { done: true, value: undefined }

export function createChunkQueue({ resume, cancel }: ChunkQueueOptions): ChunkQueue {
  const chunks: Uint8Array[] = []
  let pending: PromiseWithResolvers<ReadResult> | undefined
  let failure: { readonly error: unknown } | undefined
  let ended = false
  let paused = false

  function push(chunk: Uint8Array): boolean {
    if (ended) return true
    if (pending !== undefined) {
      pending.resolve({ done: false, value: chunk })
      pending = undefined
      return true
    }
    chunks.push(chunk)
    paused ||= chunks.length >= HIGH_WATER
    return !paused
  }

  function end(withFailure?: { readonly error: unknown }): void {
    if (ended) return
    ended = true
    failure = withFailure
    if (failure === undefined) pending?.resolve(DONE)
    else pending?.reject(failure.error)
    pending = undefined
  }

  function read(): Promise<ReadResult> {
    const value = chunks.shift()
    if (value !== undefined) {
      if (paused && chunks.length === 0) {
        paused = false
        resume()
      }
      return Promise.resolve({ done: false, value })
    }
    if (failure !== undefined) return Promise.reject(failure.error)
    if (ended) return Promise.resolve(DONE)
    pending ??= Promise.withResolvers<ReadResult>()
    return pending.promise
  }

  return {
    push,
    end,
    read,
    cancel() {
      const early = !ended
      chunks.length = 0
      end()
      if (early) cancel()
      return Promise.resolve()
    },
  }
}

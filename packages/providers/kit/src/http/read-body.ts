import type { AnswerProgress } from '../decode/answer-decoder.ts'
import type { CallScope } from '../deadlines/create-call-scope.ts'
import type { ErrorFactory } from '../errors/create-error-factory.ts'
import type { HttpBodyReader } from '../transport/http-fetch.ts'

/** Thrown when a wait ends because the call was stopped. Caught inside the kit. */
export const STOPPED = Symbol('stopped')

// Once the answer is known to be complete, only extras such as usage may follow, so the waits are short.
const SETTLED_IDLE_MS = 5000
const REST_MS = 1000

export interface ReadBodyOptions {
  readonly scope: CallScope
  readonly errors: ErrorFactory
  readonly firstByteMs: number
  readonly idleMs: number
  readonly onChunk: (chunk: Uint8Array) => AnswerProgress
  /** Waits until the reader has taken every event that the chunks contained. */
  readonly drained: () => Promise<void> | undefined
}

/**
 * Reads a body to its end, or until `onChunk` returns `complete`. Throws if the connection breaks or falls silent before
 * the answer is settled; after that, both end the body normally. The caller cancels `reader` to stop the function.
 */
export async function readBody(
  reader: HttpBodyReader,
  { scope, errors, firstByteMs, idleMs, onChunk, drained }: ReadBodyOptions,
): Promise<void> {
  let progress: AnswerProgress = 'open'
  scope.timer.start('first-byte', firstByteMs)
  while (progress !== 'complete') {
    let result: Awaited<ReturnType<typeof reader.read>>
    try {
      result = await reader.read()
      if (scope.stop() !== undefined) throw STOPPED
    } catch (error) {
      if (progress === 'settled' && isHarmless(scope)) return
      throw scope.stop() === undefined ? errors.network(error) : STOPPED
    }
    scope.timer.pause()
    if (result.done) return
    if (result.value !== undefined) progress = onChunk(result.value)
    await drained()
    scope.timer.start('idle', progress === 'settled' ? Math.min(idleMs, SETTLED_IDLE_MS) : idleMs)
  }
  void drainRest(reader)
}

function isHarmless(scope: CallScope): boolean {
  const stop = scope.stop()
  return stop === undefined || (stop.kind === 'deadline' && stop.deadline === 'idle')
}

/**
 * Reads the last bytes, so that the connection can serve the next call. Cancels the body if the server does not end it.
 */
async function drainRest(reader: HttpBodyReader): Promise<void> {
  const cancel = (): void => void reader.cancel().catch(() => undefined)
  const timer = setTimeout(cancel, REST_MS)
  try {
    while (!(await reader.read()).done);
  } catch {
    // The answer is complete, so a failure of the connection has no effect.
  } finally {
    clearTimeout(timer)
  }
}

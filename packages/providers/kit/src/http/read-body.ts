import type { AnswerProgress } from '../decode/answer-decoder.ts'
import type { CallScope } from '../deadlines/create-call-scope.ts'
import type { ErrorFactory } from '../errors/create-error-factory.ts'
import type { HttpBodyReader } from '../transport/http-fetch.ts'

/** Thrown where a wait ended because the scope stopped; never leaves the kit. */
export const STOPPED = Symbol('stopped')

// After the answer is known to be over, what may still follow is not worth a long wait.
const SETTLED_IDLE_MS = 5000
const REST_MS = 1000

export interface ReadBodyOptions {
  readonly scope: CallScope
  readonly errors: ErrorFactory
  readonly firstByteMs: number
  readonly idleMs: number
  readonly onChunk: (chunk: Uint8Array) => AnswerProgress
  /** Waits for the reader of what the chunks gave. */
  readonly drained: () => Promise<void> | undefined
}

/**
 * Reads a body to its end, or until `onChunk` says `complete`. A connection that breaks or falls silent after the
 * answer was settled ends it in good order; before that it throws. The caller cancels `reader` to stop it.
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
      if (scope.stop !== undefined) throw STOPPED
    } catch (error) {
      if (progress === 'settled' && isHarmless(scope)) return
      throw scope.stop === undefined ? errors.network(error) : STOPPED
    }
    scope.timer.pause()
    if (result.done) return
    if (result.value !== undefined) progress = onChunk(result.value)
    const waiting = drained()
    if (waiting !== undefined) await waiting
    scope.timer.start('idle', progress === 'settled' ? Math.min(idleMs, SETTLED_IDLE_MS) : idleMs)
  }
  void drainRest(reader)
}

function isHarmless({ stop }: CallScope): boolean {
  return stop === undefined || (stop.kind === 'deadline' && stop.deadline === 'idle')
}

/** Takes the last bytes, so that the connection can serve the next call; gives up on a server that does not end. */
async function drainRest(reader: HttpBodyReader): Promise<void> {
  const cancel = (): void => void reader.cancel().catch(() => undefined)
  const timer = setTimeout(cancel, REST_MS)
  try {
    while (!(await reader.read()).done);
  } catch {
    // The answer is complete; how its connection ends is nobody's concern.
  } finally {
    clearTimeout(timer)
  }
}

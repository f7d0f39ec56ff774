import { isEntryEvent, ParleyError, type RunEvent } from '@parley/core'
import type { Sender } from './create-sender.ts'
import { readSse, STREAM_ENDED } from './read-sse.ts'
import type { EventsOptions } from './runs-client.ts'

interface FollowOptions extends EventsOptions {
  readonly reconnectDelayMs: number
}

/** The longest wait, as a multiple of the first one. */
const LONGEST = 32

/** Reads the events of a run, and opens a broken stream again after the last entry. */
export async function* followEvents(
  sender: Sender,
  runId: string,
  { after: given = 0, signal, onState = () => {}, reconnectDelayMs }: FollowOptions,
): AsyncGenerator<RunEvent, undefined> {
  let after = given
  let failures = 0
  while (!isAborted(signal)) {
    onState('connecting')
    try {
      const body = await sender.open(`/runs/${encodeURIComponent(runId)}/events`, { after, signal } as EventsOptions)
      onState('open')
      for await (const event of readSse(body)) {
        if (event === STREAM_ENDED) return undefined
        const isEntry = isEntryEvent(event)
        // A server that was asked twice may send an entry again.
        if (isEntry && event.seq <= after) continue
        if (isEntry) after = event.seq
        failures = 0
        yield event
      }
    } catch (error) {
      if (isAborted(signal)) return undefined
      if (!isPassing(error)) throw error
    }
    onState('waiting')
    await wait(reconnectDelayMs * Math.min(2 ** failures, LONGEST), signal)
    failures += 1
  }
  return undefined
}

/** The signal can be aborted while the loop waits, which the compiler does not see. */
function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true
}

/** Whether the same request may succeed later: the server restarts, is busy, or the network is gone. */
function isPassing(error: unknown): boolean {
  // Reading a broken body throws errors of the platform.
  if (!ParleyError.is(error, 'agent-request-failed')) return true
  const { status } = error.info
  return status === undefined || status === 408 || status === 429 || status >= 500
}

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise(resolve => {
    const stop = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
      resolve()
    }
    const timer = setTimeout(stop, ms)
    signal?.addEventListener('abort', stop)
  })
}

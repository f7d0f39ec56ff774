import { createChannel, type Channel, type LiveBus, type RunEvent } from '@parley/core'
import type { Runtime } from '@parley/engine'
import type { FollowOptions } from './hosted-run.ts'

export interface FollowedRun {
  readonly runId: string
  readonly scope: string
  readonly live: LiveBus | undefined
  /** Resolves when the journal has its first entry, or when `signal` is aborted. */
  readonly started: (signal: AbortSignal) => Promise<void>
}

type Journals = Pick<Runtime, 'replay'>

/** Yields all entries of a run in order, and between them the ephemeral events that arrive. */
export function followEvents(
  journals: Journals,
  run: FollowedRun,
  options: FollowOptions = {},
): AsyncIterable<RunEvent> {
  return {
    [Symbol.asyncIterator]() {
      const leaving = new AbortController()
      const { signal: given } = options
      const signal = given === undefined ? leaving.signal : AbortSignal.any([given, leaving.signal])
      const channel = createChannel<RunEvent>({ onLeave: () => leaving.abort() })
      pump(journals, { ...run, channel }, { ...options, signal }).then(
        () => channel.end(),
        error => channel.end(error),
      )
      return channel[Symbol.asyncIterator]()
    },
  }
}

interface Pumped extends FollowedRun {
  readonly channel: Channel<RunEvent>
}

async function pump(
  journals: Journals,
  { runId, scope, live, started, channel }: Pumped,
  { afterSeq = 0, signal }: FollowOptions & { readonly signal: AbortSignal },
): Promise<void> {
  let shown = afterSeq
  let early: readonly RunEvent[] = []
  const subscription = await live?.subscribe(runId, event => {
    // An event ahead of the journal waits for its entry. An event whose place has passed is dropped.
    if (event.seq > shown) early = [...early, event]
    else if (event.seq === shown) channel.push(event)
  })
  try {
    if (!signal.aborted) await started(signal)
    if (signal.aborted) return
    for await (const event of journals.replay(runId, { scope, afterSeq, follow: true, signal })) {
      channel.push(event)
      shown = event.seq
      for (const waiting of early) if (waiting.seq === shown) channel.push(waiting)
      early = early.filter(({ seq }) => seq > shown)
    }
  } finally {
    await subscription?.[Symbol.asyncDispose]()
  }
}

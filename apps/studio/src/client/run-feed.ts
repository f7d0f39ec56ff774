import { isEntryEvent, type Entry, type ErrorInfo, type RunEvent } from '@parley/core'
import type { RunsClient, StreamState } from '@parley/runs-api'

/** What the model has written of an answer that is not durable yet. */
export interface LiveAnswer {
  readonly turn: number
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly { readonly callId: string; readonly name: string; readonly arguments: string }[]
  /** Why the model is asked again. */
  readonly retry?: ErrorInfo | undefined
}

/** What is known of a run while a page shows it. */
export interface FeedState {
  readonly entries: readonly Entry[]
  readonly live?: LiveAnswer | undefined
  /** Last report of each tool call that is at work. */
  readonly progress: ReadonlyMap<string, string>
  /** `loading`: earlier entries arrive. `waiting`: the connection broke and is opened again. `ended`: no entry will follow. */
  readonly phase: 'loading' | 'following' | 'waiting' | 'ended' | 'failed'
  /** Number of entries in the journal, while they are loaded. */
  readonly total?: number | undefined
  readonly error?: unknown
}

/** Follows one run for a page. */
export interface RunFeed {
  /** The same object until something changes. */
  readonly state: () => FeedState
  readonly subscribe: (listener: () => void) => () => void
  readonly close: () => void
}

const PAGE = 1000
/** Milliseconds between two pictures of a run that works. */
const PICTURE = 50

/** Starts to read a run from its first entry, and follows it until it has ended or `close` is called. */
export function openRunFeed(client: Pick<RunsClient, 'entries' | 'events'>, runId: string): RunFeed {
  const listeners = new Set<() => void>()
  const stop = new AbortController()
  const draft = createDraft()
  let shown: FeedState = draft.picture()
  let timer: ReturnType<typeof setTimeout> | undefined

  const show = (): void => {
    timer = undefined
    shown = draft.picture()
    for (const listener of listeners) listener()
  }
  const changed = (): void => {
    timer ??= setTimeout(show, PICTURE)
  }

  void readRun({ client, runId, draft, changed, signal: stop.signal }).catch((error: unknown) => {
    if (stop.signal.aborted) return
    draft.fail(error)
    changed()
  })

  return {
    state: () => shown,
    subscribe: listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: () => {
      clearTimeout(timer)
      stop.abort()
    },
  }
}

interface Reading {
  readonly client: Pick<RunsClient, 'entries' | 'events'>
  readonly runId: string
  readonly draft: ReturnType<typeof createDraft>
  readonly changed: () => void
  readonly signal: AbortSignal
}

async function readRun({ client, runId, draft, changed, signal }: Reading): Promise<void> {
  let after: number | undefined = 0
  while (after !== undefined) {
    const page = await client.entries(runId, { after, limit: PAGE, signal })
    for (const entry of page.entries) draft.add(entry)
    draft.phase('loading', page.seq)
    changed()
    after = page.next
  }
  const onState = (state: StreamState): void => {
    draft.phase(state === 'waiting' ? 'waiting' : 'following')
    changed()
  }
  for await (const event of client.events(runId, { after: draft.seq(), onState, signal })) {
    draft.take(event)
    changed()
  }
  if (signal.aborted) return
  draft.phase('ended')
  changed()
}

const NOTHING = { text: '', reasoning: '', calls: [] } as const satisfies Omit<LiveAnswer, 'turn'>

function createDraft() {
  let entries: Entry[] = []
  let isShared = false
  let live: LiveAnswer | undefined
  let progress = new Map<string, string>()
  let phase: FeedState['phase'] = 'loading'
  let total: number | undefined
  let error: unknown

  const seq = (): number => entries.at(-1)?.seq ?? 0

  function add(entry: Entry): void {
    if (entry.seq <= seq()) return
    // A picture keeps the list that it shows.
    if (isShared) entries = [...entries]
    isShared = false
    entries.push(entry)
    if (entry.type === 'message.appended' && entry.source === 'model') live = undefined
    if (entry.type === 'tool.ended') progress = withoutKey(progress, entry.callId)
  }

  function take(event: RunEvent): void {
    if (isEntryEvent(event)) return add(event)
    if (event.type === 'model.started') live = { ...NOTHING, turn: event.turn }
    if (event.type === 'model.retrying') live = { ...NOTHING, turn: event.turn, retry: event.error }
    if (event.type === 'tool.progress') progress = new Map(progress).set(event.callId, JSON.stringify(event.update))
    if (event.type === 'text.delta') live = { ...liveOf(event.turn), text: liveOf(event.turn).text + event.text }
    if (event.type === 'reasoning.delta')
      live = { ...liveOf(event.turn), reasoning: liveOf(event.turn).reasoning + event.text }
    if (event.type === 'tool-call.start') live = withCall(liveOf(event.turn), event)
    if (event.type === 'tool-call.delta') live = withArguments(liveOf(event.turn), event)
  }

  function liveOf(turn: number): LiveAnswer {
    return live?.turn === turn ? live : { ...NOTHING, turn }
  }

  return {
    seq,
    add,
    take,
    phase: (next: FeedState['phase'], count?: number): void => {
      phase = next
      total = count ?? total
    },
    fail: (cause: unknown): void => {
      phase = 'failed'
      error = cause
    },
    picture: (): FeedState => {
      isShared = true
      return { entries, live, progress, phase, total, error }
    },
  }
}

function withCall(live: LiveAnswer, { callId, name }: { callId: string; name: string }): LiveAnswer {
  return { ...live, calls: [...live.calls, { callId, name, arguments: '' }] }
}

function withArguments(live: LiveAnswer, { callId, delta }: { callId: string; delta: string }): LiveAnswer {
  const calls = live.calls.map(call => (call.callId === callId ? { ...call, arguments: call.arguments + delta } : call))
  return { ...live, calls }
}

function withoutKey(map: Map<string, string>, key: string): Map<string, string> {
  if (!map.has(key)) return map
  const next = new Map(map)
  next.delete(key)
  return next
}

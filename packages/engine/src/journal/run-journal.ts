import { ENTRY_VERSION, type Clock, type Entry, type EventEnvelope, type RunFacts, type Store } from '@parley/core'
import { evolve } from './evolve.ts'
import type { RunState } from './run-state.ts'

type Body<TEntry> = TEntry extends Entry ? Omit<TEntry, 'v' | 'seq' | 'at'> : never
/** An entry before the journal has given it its place and time. */
export type EntryBody = Body<Entry>
export type EntryEvent = Entry & EventEnvelope

/** Where a journal is kept, and the right to write to it. */
export interface JournalStore {
  readonly store: Store
  readonly worker: string
  readonly fence: number
}

/** Whoever watches a journal. */
export interface EntryFeed {
  publish(event: EntryEvent): void
}

export interface JournalOptions {
  readonly facts: RunFacts
  readonly clock: Clock
  /** The fold of the entries that exist already. */
  readonly state: RunState
  /** @default the entries are kept nowhere */
  readonly target?: JournalStore | undefined
  /** Is shown each entry once it is durable. */
  readonly feed: EntryFeed
}

/**
 * A run's log. `record` adds an entry to the state at once; `commit` makes what was recorded durable, in one
 * transaction, and only then lets it be seen. Without a store an entry is seen as it is recorded.
 */
export class RunJournal {
  readonly #facts: RunFacts
  readonly #clock: Clock
  readonly #target: JournalStore | undefined
  readonly #feed: EntryFeed
  #state: RunState
  #buffer: EntryEvent[] = []
  #stored: number
  #sessionHead: string | null | undefined
  #flushing: Promise<void> | undefined
  #abandoned: { readonly cause: unknown } | undefined

  constructor({ facts, clock, state, target, feed }: JournalOptions) {
    this.#facts = facts
    this.#clock = clock
    this.#target = target
    this.#feed = feed
    this.#state = state
    this.#stored = state.seq
  }

  get state(): RunState {
    return this.#state
  }

  /** Starts from another state, at the end of a session. Only while nothing is recorded. */
  rebase(state: RunState, sessionHead: string | null | undefined): void {
    this.#state = state
    this.#sessionHead = sessionHead
  }

  record(body: EntryBody): void {
    const { runId, sessionId, path } = this.#facts
    const seq = this.#state.seq + 1
    // The cast joins what `EntryBody` took apart: the compiler cannot follow a spread of a union.
    const event = { ...body, v: ENTRY_VERSION, seq, at: this.#clock.now(), runId, sessionId, path } as EntryEvent
    this.#state = evolve(this.#state, event)
    if (this.#target === undefined) this.#feed.publish(event)
    else this.#buffer.push(event)
  }

  /** Nothing becomes durable any more: every commit rejects with `cause`. */
  abandon(cause: unknown): void {
    this.#abandoned = { cause }
  }

  /** Resolves when everything recorded so far is durable; undefined when nothing has to be waited for. */
  commit(): Promise<void> | undefined {
    const target = this.#target
    if (target === undefined || (this.#buffer.length === 0 && this.#flushing === undefined)) return this.#flushing
    this.#flushing ??= this.#flush(target)
    return this.#flushing
  }

  async #flush(target: JournalStore): Promise<void> {
    try {
      // Calls that start together record in one go; waiting a tick lets them share the transaction.
      await Promise.resolve()
      while (this.#buffer.length > 0) {
        if (this.#abandoned !== undefined) throw this.#abandoned.cause
        const batch = this.#buffer
        this.#buffer = []
        const { store, worker, fence } = target
        await store.append({
          runId: this.#facts.runId,
          expectedSeq: this.#stored,
          worker,
          fence,
          entries: batch.map(toEntry),
          ...(this.#stored === 0 && this.#sessionHead !== undefined ? { sessionHead: this.#sessionHead } : {}),
        })
        this.#stored += batch.length
        for (const event of batch) this.#feed.publish(event)
      }
    } finally {
      this.#flushing = undefined
    }
  }
}

/** The event without its envelope: the store knows whose journal it is. */
function toEntry(event: EntryEvent): Entry {
  const { runId: _runId, path: _path, ...entry } = event
  if (entry.type === 'run.started') return entry
  const { sessionId: _sessionId, ...rest } = entry
  return rest
}

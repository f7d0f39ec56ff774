import {
  ENTRY_VERSION,
  ParleyError,
  type Clock,
  type Entry,
  type EventEnvelope,
  type RunFacts,
  type Store,
} from '@parley/core'
import { evolve } from '../journal/evolve.ts'
import type { RunState } from '../journal/run-state.ts'

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
  /** Position of the last inbox item that what is recorded tells of. */
  #taken: number | undefined
  #conclusion: Conclusion | undefined

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

  /** What was recorded for the run's inbox items up to this one makes them taken when it becomes durable. */
  take(position: number): void {
    this.#taken = position
  }

  /**
   * Records the entry after which nobody drives the run, and commits.
   * @returns False when somebody had left word first: then the entry, which nobody has seen, is taken back.
   */
  async conclude(body: EntryBody): Promise<boolean> {
    const before = this.#state
    this.record(body)
    const event = this.#buffer.at(-1)
    const conclusion = event === undefined ? undefined : { event, before, refused: false }
    this.#conclusion = conclusion
    await this.commit()
    this.#conclusion = undefined
    return conclusion?.refused !== true
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
        const taken = this.#taken
        this.#taken = undefined
        const { store, worker, fence } = target
        try {
          await store.append({
            runId: this.#facts.runId,
            expectedSeq: this.#stored,
            worker,
            fence,
            entries: batch.map(toEntry),
            ...(this.#stored === 0 && this.#sessionHead !== undefined ? { sessionHead: this.#sessionHead } : {}),
            ...(taken === undefined ? {} : { taken }),
          })
        } catch (error) {
          if (!ParleyError.is(error, 'inbox-unread') || this.#conclusion === undefined) throw error
          this.#taken ??= taken
          this.#takeBack(this.#conclusion, batch)
          continue
        }
        this.#stored += batch.length
        for (const event of batch) this.#feed.publish(event)
      }
    } finally {
      this.#flushing = undefined
    }
  }

  /** Nothing of `batch` was kept: it is again to be written, without the last word. What came after that moves up. */
  #takeBack(conclusion: Conclusion, batch: readonly EntryEvent[]): void {
    const unkept = [...batch, ...this.#buffer]
    const [, ...later] = unkept.splice(unkept.indexOf(conclusion.event))
    this.#buffer = unkept
    this.#state = conclusion.before
    conclusion.refused = true
    for (const { v: _v, seq: _seq, at: _at, ...body } of later) this.record(body)
  }
}

/** The last word about a run, as long as it is not kept. */
interface Conclusion {
  readonly event: EntryEvent
  /** The state without it. */
  readonly before: RunState
  refused: boolean
}

/** The event without its envelope: the store knows whose journal it is. */
function toEntry(event: EntryEvent): Entry {
  const { runId: _runId, path: _path, ...entry } = event
  if (entry.type === 'run.started') return entry
  const { sessionId: _sessionId, ...rest } = entry
  return rest
}

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
/** An entry before the journal has given it a number and a time. */
export type EntryBody = Body<Entry>
export type EntryEvent = Entry & EventEnvelope

/** Where a journal is kept, and the right to write to it. */
export interface JournalStore {
  readonly store: Store
  readonly worker: string
  readonly fence: number
}

/** Receives the entries of a journal. */
export interface EntryFeed {
  publish(event: EntryEvent): void
}

export interface JournalOptions {
  readonly facts: RunFacts
  readonly clock: Clock
  /** The fold of the entries that exist already, if the run is resumed. */
  readonly state: RunState
  /** @default the entries are not stored */
  readonly target?: JournalStore | undefined
  /** Receives each entry once it is durable. */
  readonly feed: EntryFeed
}

/**
 * The log of a run. `record` adds an entry to the state at once. `commit` makes all recorded entries durable in one
 * transaction and then shows them to readers. Without a store, readers see an entry as soon as it is recorded.
 */
export class RunJournal {
  readonly #options: JournalOptions
  #state: RunState
  #buffer: EntryEvent[] = []
  #stored: number
  #sessionHead: string | null | undefined
  #flushing: Promise<void> | undefined
  #abandoned: { readonly cause: unknown } | undefined
  /** Position of the last inbox command that the recorded entries follow. */
  #taken: number | undefined
  #conclusion: Conclusion | undefined

  constructor(options: JournalOptions) {
    this.#options = options
    this.#state = options.state
    this.#stored = options.state.seq
  }

  get state(): RunState {
    return this.#state
  }

  /**
   * Starts from another state. The first append requires that the session still ends with `sessionHead`. Only before the
   * first entry.
   */
  rebase(state: RunState, sessionHead: string | null | undefined): void {
    this.#state = state
    this.#sessionHead = sessionHead
  }

  record(body: EntryBody): void {
    const { facts, clock, target, feed } = this.#options
    const { runId, sessionId, path } = facts
    const seq = this.#state.seq + 1
    // The cast is safe: the compiler cannot follow that the spread of each `EntryBody` gives its entry.
    const event = { ...body, v: ENTRY_VERSION, seq, at: clock.now(), runId, sessionId, path } as EntryEvent
    this.#state = evolve(this.#state, event)
    if (target === undefined) feed.publish(event)
    else this.#buffer.push(event)
  }

  /** Marks the inbox commands up to this position as taken, in the append that makes the recorded entries durable. */
  take(position: number): void {
    this.#taken = position
  }

  /**
   * Records a terminal entry and commits.
   * @returns False if the store refused it because the inbox has new commands. The entry is then removed; no reader saw it.
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

  /** Stops all writing: every later commit rejects with `cause`. */
  abandon(cause: unknown): void {
    this.#abandoned = { cause }
  }

  /** Resolves when everything recorded so far is durable. `undefined` if it already is. */
  commit(): Promise<void> | undefined {
    const { target } = this.#options
    if (target === undefined || (this.#buffer.length === 0 && this.#flushing === undefined)) return this.#flushing
    this.#flushing ??= this.#flush(target)
    return this.#flushing
  }

  async #flush(target: JournalStore): Promise<void> {
    try {
      // Tool calls that start together record in the same tick: waiting for its end gives them one transaction.
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
            runId: this.#options.facts.runId,
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
        for (const event of batch) this.#options.feed.publish(event)
      }
    } finally {
      this.#flushing = undefined
    }
  }

  /** The store kept nothing of `batch`: it is written again without the terminal entry, and later entries move up. */
  #takeBack(conclusion: Conclusion, batch: readonly EntryEvent[]): void {
    const unkept = [...batch, ...this.#buffer]
    const [, ...later] = unkept.splice(unkept.indexOf(conclusion.event))
    this.#buffer = unkept
    this.#state = conclusion.before
    conclusion.refused = true
    for (const { v: _v, seq: _seq, at: _at, ...body } of later) this.record(body)
  }
}

/** A terminal entry that is not durable yet. */
interface Conclusion {
  readonly event: EntryEvent
  /** The state without the entry. */
  readonly before: RunState
  refused: boolean
}

/** The entry as the store keeps it: without the envelope, which repeats the run's facts. */
function toEntry(event: EntryEvent): Entry {
  const { runId: _runId, path: _path, ...entry } = event
  if (entry.type === 'run.started') return entry
  const { sessionId: _sessionId, ...rest } = entry
  return rest
}

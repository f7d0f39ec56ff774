import { ParleyError, type Entry, type EventEnvelope, type Store } from '@parley/core'
import type { QuotaLedger } from '../agent/quota/quota-ledger.ts'
import type { RunState } from '../journal/run-state.ts'

export type EntryEvent = Entry & EventEnvelope

/** An entry that was added to the state of its run. */
export interface RecordedEntry {
  /** The entry as the store keeps it. */
  readonly entry: Entry
  /** The entry as readers see it: with the facts of the run. */
  readonly event: EntryEvent
  /** The state that follows the entry. */
  readonly state: RunState
}

/** Where a journal is kept, and the right to write to it. */
export interface JournalStore {
  readonly store: Store
  readonly worker: string
  readonly fence: number
}

export interface EntryWriterOptions {
  readonly runId: string
  /** The store and the claim with which entries are written. @default the entries are not stored */
  readonly target: JournalStore | undefined
  /** Computes what the entries add to the totals of quotas. @default nothing */
  readonly quotas: QuotaLedger | undefined
  /** Called once entries are durable, with the state that follows them. */
  readonly onDurable: (events: readonly EntryEvent[], state: RunState) => void
  /**
   * Called if the store refused entries because the inbox has new commands.
   * @returns Whether the entry for which it refused them was removed, so that the others can be written.
   */
  readonly onUnread: () => boolean
}

/** Whether the store has entries of a run. It certainly has none if it `refused` the first append, or received `none`. */
export type Stored = 'yes' | 'none' | 'refused' | 'unknown'

/** Why an `EntryWriter` writes no more. */
interface Stop {
  readonly cause: unknown
  /** The entries of an append that failed. No further entry can follow them. */
  readonly lost: readonly EntryEvent[]
  /** Whether the store refused that append. Otherwise it may have kept the entries. */
  readonly refused: boolean
}

/** Writes the entries of one run to the store, one transaction after another, until an append fails. */
export class EntryWriter {
  readonly #options: EntryWriterOptions
  /** Number of the last durable entry. */
  #seq: number
  #waiting: RecordedEntry[] = []
  #flushing: Promise<void> | undefined
  #stopped: Stop | undefined
  #sessionHead: string | null | undefined
  /** Position of the last inbox command that the waiting entries follow. */
  #taken: number | undefined

  constructor(options: EntryWriterOptions, { seq }: RunState) {
    this.#options = options
    this.#seq = seq
  }

  /** Why no entry can be written any more. */
  get stopped(): Pick<Stop, 'cause'> | undefined {
    return this.#stopped
  }

  get stored(): Stored {
    if (this.#seq > 0) return 'yes'
    if (this.#stopped === undefined) return 'none'
    return this.#stopped.refused ? 'refused' : 'unknown'
  }

  /** Starts after another state. The first append requires that the session still ends with `sessionHead`. */
  rebase(state: RunState, sessionHead: string | null | undefined): void {
    this.#seq = state.seq
    this.#sessionHead = sessionHead
  }

  /** Adds an entry to the next append. */
  add(recorded: RecordedEntry): void {
    this.#waiting.push(recorded)
  }

  /** Marks the inbox commands up to this position as taken, in the append that makes the waiting entries durable. */
  take(position: number | undefined): void {
    this.#taken = position
  }

  /** Removes an entry that waits, and all after it. @returns Those after it. */
  withdraw(event: EntryEvent): readonly EntryEvent[] {
    const from = this.#waiting.findIndex(recorded => recorded.event === event)
    return this.#waiting.splice(from).slice(1).map(eventOf)
  }

  /** Stops all writing: every later commit rejects with `cause`. */
  stop(cause: unknown): void {
    this.#stopped ??= { cause, lost: [], refused: false }
  }

  /**
   * Writes again after a failed append. @returns The entries that are not durable. They are dropped.
   * @throws The reason if writing was stopped for another cause.
   */
  restart(): readonly EntryEvent[] {
    const lost = this.#stopped?.lost ?? []
    if (this.#stopped !== undefined && lost.length === 0) throw this.#stopped.cause
    const dropped = [...lost, ...this.#waiting.map(eventOf)]
    this.#waiting = []
    this.#stopped = undefined
    return dropped
  }

  /** Resolves when every entry that waits is durable. `undefined` if none waits. */
  commit(): Promise<void> | undefined {
    const { target } = this.#options
    if (target === undefined) return undefined
    // A failed append has lost its entries: what follows them must not become durable, nor have effects.
    if (this.#stopped !== undefined) return Promise.reject(this.#stopped.cause)
    if (this.#waiting.length === 0 && this.#flushing === undefined) return undefined
    this.#flushing ??= this.#flush(target)
    return this.#flushing
  }

  async #flush(target: JournalStore): Promise<void> {
    try {
      // Tool calls that start together record in the same tick: waiting for its end gives them one transaction.
      await Promise.resolve()
      while (this.#waiting.length > 0) {
        if (this.#stopped !== undefined) throw this.#stopped.cause
        await this.#append(target)
      }
    } finally {
      this.#flushing = undefined
    }
  }

  async #append({ store, worker, fence }: JournalStore): Promise<void> {
    const batch = this.#waiting
    const events = batch.map(eventOf)
    const counts = this.#options.quotas?.countsOf(events)
    const { state: reached } = batch.at(-1) as RecordedEntry
    const taken = this.#taken
    const expectedSeq = this.#seq
    this.#waiting = []
    this.#taken = undefined
    try {
      await store.append({
        runId: this.#options.runId,
        expectedSeq,
        worker,
        fence,
        entries: batch.map(({ entry }) => entry),
        ...(expectedSeq === 0 && this.#sessionHead !== undefined ? { sessionHead: this.#sessionHead } : {}),
        ...(taken === undefined ? {} : { taken }),
        ...(counts === undefined ? {} : { counts }),
      })
    } catch (thrown) {
      const error = toStoreError(thrown, store.name)
      if (ParleyError.is(error, 'inbox-unread')) {
        // The store kept nothing of the batch.
        this.#waiting = [...batch, ...this.#waiting]
        this.#taken ??= taken
        if (this.#options.onUnread()) return
        this.#waiting = this.#waiting.slice(batch.length)
      }
      const refused = ParleyError.is(error) && error.code !== 'store-unavailable'
      // An append after this one would leave a gap.
      this.#stopped ??= { cause: error, lost: events, refused }
      throw error
    }
    this.#seq = reached.seq
    this.#options.onDurable(events, reached)
  }
}

/**
 * Converts an error that the store should have converted. Errors of `JSON.stringify` stay, because they say that the
 * entries cannot be written.
 */
function toStoreError(thrown: unknown, store: string): unknown {
  if (ParleyError.is(thrown) || thrown instanceof RangeError || thrown instanceof TypeError) return thrown
  const detail = thrown instanceof Error ? thrown.message : String(thrown)
  return new ParleyError({ code: 'store-unavailable', store, detail }, { cause: thrown })
}

function eventOf({ event }: RecordedEntry): EntryEvent {
  return event
}

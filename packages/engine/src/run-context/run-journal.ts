import {
  ENTRY_VERSION,
  ParleyError,
  storageFault,
  type Clock,
  type Entry,
  type ErrorInfo,
  type RunFacts,
} from '@parley/core'
import type { QuotaLedger } from '../agent/quota/quota-ledger.ts'
import { advance, evolve } from '../journal/evolve.ts'
import type { RunState } from '../journal/run-state.ts'
import { runTotals } from '../journal/run-totals.ts'
import { EntryWriter, type EntryEvent, type JournalStore, type Stored } from './entry-writer.ts'
import { failedEntries } from './failed-entries.ts'

type Body<TEntry> = TEntry extends Entry ? Omit<TEntry, 'v' | 'seq' | 'at'> : never
/** An entry before the journal has given it a number and a time. */
export type EntryBody = Body<Entry>

/** Receives the entries of a journal. */
export interface EntryFeed {
  publish(event: EntryEvent): void
}

export interface JournalOptions {
  readonly facts: RunFacts
  readonly clock: Clock
  /** The state after the existing entries, if the run is resumed. */
  readonly state: RunState
  /** The store and the claim with which entries are written. @default the entries are not stored */
  readonly target?: JournalStore | undefined
  /** Receives each entry once it is durable. */
  readonly feed: EntryFeed
  /** Computes what the entries add to the totals of quotas. @default nothing */
  readonly quotas?: QuotaLedger | undefined
}

/**
 * The journal of a run that this process drives. `record` adds an entry to the state at once. `commit` makes all
 * recorded entries durable in one transaction and then shows them to readers. Without a store, readers see an entry as
 * soon as it is recorded.
 */
export class RunJournal {
  readonly #options: Omit<JournalOptions, 'state'>
  readonly #writer: EntryWriter
  #state: RunState
  /** The fold of the durable entries. */
  #durable: RunState
  /** A terminal entry that waits for the store. */
  #ending: Ending | undefined
  /** Whether the last entry is terminal. */
  #closed = false

  constructor(options: JournalOptions) {
    const { facts, clock, state, target, feed, quotas } = options
    // Without the first state, which a run that waits would keep.
    this.#options = { facts, clock, target, feed, quotas }
    this.#state = beginningWith(state, target)
    this.#durable = this.#state
    this.#writer = new EntryWriter(
      { runId: facts.runId, target, quotas, onDurable: this.#show.bind(this), onUnread: this.#withdrawEnd.bind(this) },
      state,
    )
  }

  get state(): RunState {
    return this.#state
  }

  /** Whether commits fail from now on, because an append has failed or the journal was abandoned. */
  get isBroken(): boolean {
    return this.#writer.stopped !== undefined
  }

  get stored(): Stored {
    return this.#durable.seq > 0 ? 'yes' : this.#writer.stored
  }

  /**
   * Starts from another state. The first append requires that the session still ends with `sessionHead`. Call it only
   * before the first entry.
   */
  rebase(state: RunState, sessionHead: string | null | undefined): void {
    this.#state = beginningWith(state, this.#options.target)
    this.#durable = this.#state
    this.#writer.rebase(state, sessionHead)
  }

  /**
   * Adds an entry to the state. It becomes durable with the next commit.
   * @param at Time of the entry. @default now
   * @throws ParleyError `request-invalid` if the store could not write the entry or read it back.
   */
  record(body: EntryBody, at?: number): EntryEvent {
    const { facts, clock, target, feed, quotas } = this.#options
    const { runId, sessionId, path } = facts
    const fault = target === undefined ? undefined : storageFault(body)
    if (fault !== undefined) throw new ParleyError({ code: 'request-invalid', path: body.type, detail: fault })
    const seq = this.#state.seq + 1
    // The casts are safe: the compiler cannot follow that the spread of each `EntryBody` gives its entry.
    // V8 adds the fields of an unknown object to known ones faster than the other way round (bench: tricks known-fields).
    const { type } = body
    const time = at ?? clock.now()
    const event = { type, v: ENTRY_VERSION, seq, at: time, runId, sessionId, path, ...(body as object) } as EntryEvent
    quotas?.note(event)
    if (target === undefined) {
      // The writer of a store needs the state after each durable entry. Without one only the newest is needed, so one copy takes every
      // entry (bench: tricks own-state).
      advance(this.#state, event)
      feed.publish(event)
    } else {
      this.#state = evolve(this.#state, event)
      const entry = { type, v: ENTRY_VERSION, seq, at: time, ...(body as object) } as Entry
      this.#writer.add({ entry, event, state: this.#state })
    }
    return event
  }

  /** Resolves when everything recorded so far is durable. `undefined` if it already is. */
  commit(): Promise<void> | undefined {
    return this.#writer.commit()
  }

  /**
   * Records a terminal entry and commits.
   * @returns False if the store refused it because the inbox has new commands. The entry is then removed; no reader saw it.
   */
  async conclude(body: EntryBody): Promise<boolean> {
    const before = this.#state
    const ending: Ending = { event: this.record(body), before, refused: false, settled: undefined }
    this.#ending = ending
    try {
      await this.commit()
      this.#closed = !ending.refused
      return this.#closed
    } finally {
      this.#ending = undefined
      ending.settled?.resolve()
    }
  }

  /**
   * Calls `record`, which records what a command asks for, but not while a terminal entry waits for the store: no driver
   * would follow an entry after a terminal one. The append that makes these entries durable marks the inbox commands up to
   * position `taken` as taken.
   * @returns False, without the call, if the last entry is terminal.
   */
  async whileOpen(record: () => void, taken?: number): Promise<boolean> {
    while (this.#ending !== undefined) {
      this.#ending.settled ??= Promise.withResolvers()
      await this.#ending.settled.promise
    }
    if (this.#writer.stopped !== undefined) throw this.#writer.stopped.cause
    if (this.#closed) return false
    if (taken !== undefined) this.#writer.take(taken)
    record()
    return true
  }

  /** Stops all writing: every later commit rejects with `cause`. */
  abandon(cause: unknown): void {
    this.#writer.stop(cause)
  }

  /**
   * Ends the run as failed after the last durable entry. The entries that are not durable are dropped, except for what they
   * spent. Commands of the inbox up to position `taken` are dropped too.
   * @returns The last entry.
   * @throws The reason if the journal was abandoned.
   */
  async fail(error: ErrorInfo, taken: number | undefined): Promise<EntryEvent> {
    const dropped = this.#writer.restart()
    this.#state = this.#durable
    this.#writer.take(taken)
    for (const body of failedEntries(dropped, error)) this.record(body)
    const outcome = { status: 'failed' as const, error }
    const ended = this.record({ type: 'run.ended', outcome, ...runTotals(this.#state) })
    await this.commit()
    return ended
  }

  #show(events: readonly EntryEvent[], state: RunState): void {
    this.#durable = state
    for (const event of events) this.#options.feed.publish(event)
  }

  /** Removes the terminal entry, which the store refused. Later entries move up. @returns False if there is no such entry. */
  #withdrawEnd(): boolean {
    const ending = this.#ending
    if (ending === undefined) return false
    const later = this.#writer.withdraw(ending.event)
    this.#state = ending.before
    ending.refused = true
    for (const { v: _v, seq: _seq, at: _at, ...body } of later) this.record(body)
    return true
  }
}

/** The state with which a journal begins. A journal without a store changes its state, so it has its own. */
function beginningWith(state: RunState, target: JournalStore | undefined): RunState {
  return target === undefined ? { ...state } : state
}

/** A terminal entry that is not durable yet. */
interface Ending {
  readonly event: EntryEvent
  /** The state without the entry. */
  readonly before: RunState
  refused: boolean
  /** Resolves when the store has answered. Created for a command that waits for that. */
  settled: PromiseWithResolvers<void> | undefined
}

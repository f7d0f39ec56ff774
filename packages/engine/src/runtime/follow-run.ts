import {
  isEntryEvent,
  ParleyError,
  toErrorInfo,
  type CancelReason,
  type Clock,
  type Entry,
  type RunEvent,
  type RunRecord,
  type Store,
  type UserMessage,
} from '@parley/core'
import { loadRun } from '../run-context/stored/load-run.ts'
import { evolve } from '../journal/evolve.ts'
import { initialState, type RunState } from '../journal/run-state.ts'
import { completedOrThrow } from '../run-context/run-failed-error.ts'
import { textStream } from '../run-context/feed/text-stream.ts'
import { toRunResult, type Run, type RunResult } from '../run-context/run-result.ts'
import { followJournal } from './follow-journal.ts'
import type { ReplayOptions } from './runtime-options.ts'

export interface FollowedRun {
  readonly store: Store
  readonly record: RunRecord
  readonly clock: Clock
  readonly replay: (options: Pick<ReplayOptions, 'afterSeq' | 'signal'>) => AsyncIterable<RunEvent>
  readonly send: (kind: 'steering' | 'follow-up', message: string | UserMessage) => Promise<void>
  readonly cancel: (reason: CancelReason | undefined) => Promise<Run>
}

/**
 * Returns a run that another process drives: its entries from now on, and its result. Reads the store only while a
 * caller iterates or awaits the result.
 */
export function followRun({ store, record, clock, replay, send, cancel }: FollowedRun): Run {
  const { runId, sessionId, seq: afterSeq } = record
  const seen = new SeenRun(store, record)
  let result: Promise<RunResult> | undefined

  async function untilOver(): Promise<RunResult> {
    try {
      return await readEnd()
    } catch (error) {
      return toRunResult(record, initialState(), { ending: { status: 'interrupted', error: toErrorInfo(error) } })
    }
  }

  async function readEnd(): Promise<RunResult> {
    const fold = await seen.folding()
    for await (const entries of followJournal(store, { runId, afterSeq, clock, signal: undefined })) {
      for (const entry of entries) {
        const state = fold(entry)
        const output = state.output?.value
        if (entry.type === 'run.ended') return toRunResult(record, state, { ending: entry.outcome, output })
        if (entry.type !== 'run.suspended') continue
        const { approvals, clientCalls = [], reason } = entry
        return toRunResult(record, state, { ending: { status: 'suspended', approvals, clientCalls, reason } })
      }
    }
    throw new ParleyError({ code: 'run-unknown', runId })
  }

  async function* events(): AsyncGenerator<RunEvent, undefined> {
    // A journal whose base was pruned has events, but no state.
    const fold = await seen.folding().catch(() => undefined)
    for await (const event of replay({ afterSeq })) {
      if (isEntryEvent(event)) fold?.(event)
      yield event
      if (event.type === 'run.suspended') return undefined
    }
    return undefined
  }

  async function stop(reason?: CancelReason): Promise<void> {
    try {
      const { result: ended } = await cancel(reason)
      await ended
    } catch (error) {
      if (!ParleyError.is(error, 'run-ended')) throw error
    }
  }

  const run: Run = {
    runId,
    sessionId,
    get result() {
      result ??= untilOver()
      return result
    },
    orThrow: async () => completedOrThrow(await run.result),
    get textStream() {
      return textStream(run)
    },
    get usage() {
      return seen.newest.usage
    },
    get cost() {
      return seen.newest.cost
    },
    get turns() {
      return seen.newest.turn
    },
    steer: message => send('steering', message),
    followUp: message => send('follow-up', message),
    cancel: stop,
    [Symbol.asyncIterator]: () => events(),
    [Symbol.asyncDispose]: () => stop(),
  }
  return run
}

/** The state of a followed run, as far as its readers have read the journal. */
class SeenRun {
  /** The newest state that a reader has reached. */
  newest = initialState()
  readonly #store: Store
  readonly #record: RunRecord

  constructor(store: Store, record: RunRecord) {
    this.#store = store
    this.#record = record
  }

  /** Returns a function that folds the entries after those of the record, in order. */
  async folding(): Promise<(entry: Entry) => RunState> {
    let state = await loadRun(this.#store, this.#record.runId, this.#record.seq)
    return entry => {
      state = evolve(state, entry)
      if (state.seq > this.newest.seq) this.newest = state
      return state
    }
  }
}

import {
  ParleyError,
  toErrorInfo,
  type CancelReason,
  type Clock,
  type RunEvent,
  type RunRecord,
  type Store,
  type UserMessage,
} from '@parley/core'
import { loadRun } from '../run-context/load-run.ts'
import { initialState } from '../journal/run-state.ts'
import type { Run, RunResult } from '../run-context/run-result.ts'
import { toRunResult } from '../run-context/run-result.ts'
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
 * A run that another process drives: its entries from now on, and its result. Reads the store only while a caller iterates
 * or awaits the result.
 */
export function followRun({ store, record, clock, replay, send, cancel }: FollowedRun): Run {
  const { runId, sessionId, seq: afterSeq } = record
  let result: Promise<RunResult> | undefined

  async function untilOver(): Promise<RunResult> {
    try {
      return await readEnd()
    } catch (error) {
      return toRunResult(record, initialState(), { ending: { status: 'interrupted', error: toErrorInfo(error) } })
    }
  }

  async function readEnd(): Promise<RunResult> {
    for await (const entries of followJournal(store, { runId, afterSeq, clock, signal: undefined })) {
      const last = entries.find(({ type }) => type === 'run.ended' || type === 'run.suspended')
      if (last === undefined) continue
      const state = await loadRun(store, runId, last.seq)
      const output = state.output?.value
      if (last.type === 'run.ended') return toRunResult(record, state, { ending: last.outcome, output })
      if (last.type !== 'run.suspended') continue
      const { approvals, reason } = last
      return toRunResult(record, state, { ending: { status: 'suspended', approvals, reason } })
    }
    throw new ParleyError({ code: 'run-unknown', runId })
  }

  async function* events(): AsyncGenerator<RunEvent, undefined> {
    for await (const event of replay({ afterSeq })) {
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

  return {
    runId,
    sessionId,
    get result() {
      result ??= untilOver()
      return result
    },
    steer: message => send('steering', message),
    followUp: message => send('follow-up', message),
    cancel: stop,
    [Symbol.asyncIterator]: () => events(),
    [Symbol.asyncDispose]: () => stop(),
  }
}

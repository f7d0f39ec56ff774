import { ParleyError, type Clock, type Message, type RunEvent, type RunRecord, type Store } from '@parley/core'
import { followJournal } from '../follow-journal.ts'
import { followLive } from './follow-live.ts'
import { labelRuns, type SessionRun } from '../label-runs.ts'
import { pendingApprovals, runOfApproval, type PendingApproval } from './pending-approvals.ts'
import type { ApprovalQuery, ReplayOptions } from '../runtime-options.ts'
import { loadRun } from '../../run-context/stored/load-run.ts'
import { readPages } from '../../run-context/stored/read-journal.ts'
import { pendingRequests, type Pending } from '../../run-context/requests/pending-requests.ts'

/** Reads runs from the store, without driving them. Runs of other scopes are unknown. */
export interface JournalReader {
  record(runId: string, scope: string | undefined): Promise<{ readonly store: Store; readonly record: RunRecord }>
  replay(runId: string, options: ReplayOptions): AsyncIterable<RunEvent>
  transcript(runId: string, scope: string | undefined): Promise<readonly Message[]>
  pending(runId: string, scope: string | undefined): Promise<Pending>
  approvals(query: ApprovalQuery | undefined): Promise<readonly PendingApproval[]>
  /** Finds the run that asks for an approval. @throws ParleyError `approval-unknown`. */
  runOf(approvalId: string, scope: string | undefined): Promise<string>
  session(sessionId: string, scope: string | undefined): Promise<readonly SessionRun[]>
}

export interface JournalReaderOptions {
  readonly clock: Clock
  /** Finds a run that this process drives. */
  readonly live: (runId: string) => AsyncIterable<RunEvent> | undefined
}

export function createJournalReader(store: Store | undefined, { clock, live }: JournalReaderOptions): JournalReader {
  async function find(
    runId: string,
    scope = 'default',
  ): Promise<{ readonly store: Store; readonly record: RunRecord }> {
    const record = await store?.run(runId)
    if (store === undefined || record?.scope !== scope) throw new ParleyError({ code: 'run-unknown', runId })
    return { store, record }
  }

  async function* replay(
    runId: string,
    { scope, afterSeq = 0, follow = false, ephemeral = false, signal }: ReplayOptions,
  ): AsyncGenerator<RunEvent, undefined> {
    const found = await find(runId, scope)
    const { sessionId } = found.record
    if (ephemeral) {
      const events = followLive({
        runId,
        afterSeq,
        signal,
        find: () => live(runId),
        read: from => readPages(found.store, runId, { afterSeq: from, signal }),
        follow: from => followJournal(found.store, { runId, afterSeq: from, clock, signal }),
      })
      for await (const event of events) yield 'path' in event ? event : { ...event, runId, sessionId, path: [] }
      return undefined
    }
    const batches = follow
      ? followJournal(found.store, { runId, afterSeq, clock, signal })
      : readPages(found.store, runId, { afterSeq, signal })
    for await (const entries of batches) {
      for (const entry of entries) yield { ...entry, runId, sessionId, path: [] }
    }
    return undefined
  }

  return {
    record: find,
    replay: (runId, options) => ({ [Symbol.asyncIterator]: () => replay(runId, options) }),
    transcript: async (runId, scope) => {
      const found = await find(runId, scope)
      const { transcript, calls } = await loadRun(found.store, runId)
      const messages = transcript.toArray()
      // An answer with open calls is not part of a valid transcript yet.
      return calls === undefined ? messages : messages.slice(0, -1)
    },
    pending: async (runId, scope) => pendingRequests((await find(runId, scope)).store, runId),
    runOf: (approvalId, scope) => runOfApproval(store, approvalId, scope),
    approvals: async (query = {}) => {
      if (query.runId !== undefined) await find(query.runId, query.scope)
      return store === undefined ? [] : pendingApprovals(store, query)
    },
    session: async (sessionId, scope = 'default') => {
      const runs = (await store?.runs({ scope, sessionId, limit: Number.MAX_SAFE_INTEGER })) ?? []
      return labelRuns(runs.toReversed())
    },
  }
}

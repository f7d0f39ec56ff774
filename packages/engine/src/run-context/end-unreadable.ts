import {
  ENTRY_VERSION,
  ParleyError,
  ZERO_USAGE,
  type Clock,
  type EntryOf,
  type ErrorInfo,
  type Store,
} from '@parley/core'
import { keepDeadLetter } from './keep-dead-letter.ts'

export interface UnreadableRun {
  readonly store: Store
  readonly clock: Clock
  readonly worker: string
  readonly runId: string
  readonly error: ErrorInfo
  /** How often reading was tried. */
  readonly attempts: number
}

/** Ends a run whose journal cannot be read, so that its session is free again. Its entries stay as they are. */
export async function endUnreadable({ store, clock, worker, runId, error, attempts }: UnreadableRun): Promise<void> {
  const at = clock.now()
  const claim = await store.claim({ runId, worker, at })
  if (!claim.granted) throw new ParleyError({ code: 'run-busy', runId, worker: claim.worker })
  const record = await store.run(runId)
  if (record?.status !== 'running' && record?.status !== 'suspended') return
  const { seq: expectedSeq, sessionId, agent, scope } = record
  const unread = await store.inbox?.read(runId)
  const taken = unread?.at(-1)?.position
  const outcome = { status: 'failed' as const, error }
  const entry: EntryOf<'run.ended'> = {
    v: ENTRY_VERSION,
    seq: expectedSeq + 1,
    at,
    type: 'run.ended',
    outcome,
    usage: ZERO_USAGE,
  }
  const { fence } = claim
  await store.append({ runId, expectedSeq, worker, fence, entries: [entry], taken })
  const event = { ...entry, runId, sessionId, path: [] }
  await keepDeadLetter(store, { facts: { runId, agent, scope }, event, error, attempts })
}

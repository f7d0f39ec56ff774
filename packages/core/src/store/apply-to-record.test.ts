import { describe, expect, it } from 'vitest'
import { applyToRecord } from './apply-to-record.ts'
import type { Entry, EntryOf } from '../schema/entry.ts'
import type { RunRecord } from './run-record.ts'
import { ZERO_USAGE } from '../model/usage.ts'

const started: EntryOf<'run.started'> = {
  v: 1,
  seq: 1,
  at: 100,
  type: 'run.started',
  agent: 'assistant',
  model: 'scripted/script',
  sessionId: 's',
  scope: 'tenant',
  relation: 'continue',
}
const resumed: Entry = { v: 1, seq: 2, at: 200, type: 'run.resumed', worker: 'w' }
const ended = (outcome: EntryOf<'run.ended'>['outcome']): Entry => ({
  v: 1,
  seq: 3,
  at: 300,
  type: 'run.ended',
  outcome,
  usage: ZERO_USAGE,
})

const fresh = {
  runId: 'r',
  sessionId: 's',
  scope: 'tenant',
  agent: 'assistant',
  model: 'scripted/script',
  relation: 'continue',
  status: 'running',
  seq: 1,
  startedAt: 100,
  updatedAt: 100,
}

describe('applyToRecord', () => {
  it('applyToRecord creates a record from the first entry', () => {
    expect(applyToRecord(undefined, 'r', started)).toEqual(fresh)
  })

  it('the parent of a record is the run that it continues or repeats', () => {
    const base = { runId: 'b', seq: 3 }
    expect(applyToRecord(undefined, 'r', { ...started, base })).toEqual({ ...fresh, parent: 'b' })
    expect(applyToRecord(undefined, 'r', { ...started, base, origin: 'o' })).toEqual({ ...fresh, parent: 'o' })
  })

  it('applyToRecord updates only the number and the time for a further entry', () => {
    const record = applyToRecord(undefined, 'r', started)
    expect(applyToRecord(record, 'r', resumed)).toEqual({ ...fresh, seq: 2, updatedAt: 200 })
    expect(record).toEqual(fresh)
  })

  it('applyToRecord sets the status of a run that is suspended and then resumed', () => {
    const suspended = applyToRecord(fresh as RunRecord, 'r', {
      ...resumed,
      type: 'run.suspended',
      approvals: [],
    } as Entry)
    expect(suspended?.status).toBe('suspended')
    expect(applyToRecord(suspended, 'r', { ...resumed, seq: 3 })?.status).toBe('running')
  })

  it.each([
    { status: 'completed', finish: 'stop' },
    { status: 'limit', hit: { limit: 'turns', max: 1, value: 1 } },
    { status: 'cancelled', reason: { kind: 'user' } },
    { status: 'failed', error: { code: 'runtime-closed' } },
  ] as const)('applyToRecord sets the status $status of an ended run', outcome => {
    const record = applyToRecord(applyToRecord(undefined, 'r', started), 'r', ended(outcome))
    expect(record).toEqual({ ...fresh, status: outcome.status, usage: ZERO_USAGE, seq: 3, updatedAt: 300 })
  })

  it('the record of an ended run has what the run and its child runs used', () => {
    const usage = { ...ZERO_USAGE, input: 5 }
    const over = { ...ended({ status: 'completed', finish: 'stop' }), usage, cost: { usd: 0.5 } }
    expect(applyToRecord(fresh as RunRecord, 'r', over)).toMatchObject({ usage, cost: { usd: 0.5 } })
  })

  it('only the first message of the input becomes the preview', () => {
    const said = (text: string, source: 'input' | 'note'): Entry => ({
      v: 1,
      seq: 2,
      at: 200,
      type: 'message.appended',
      source,
      message: { role: 'user', content: [{ type: 'text', text }] },
    })
    const entries = [said('a note', 'note'), said('  ', 'input'), said('first', 'input'), said('second', 'input')]
    const record = entries.reduce<RunRecord | undefined>(
      (known, entry) => applyToRecord(known, 'r', entry),
      fresh as RunRecord,
    )
    expect(record?.preview).toBe('first')
  })

  it('applyToRecord returns undefined for a journal without run.started', () => {
    expect(applyToRecord(undefined, 'r', resumed)).toBeUndefined()
  })
})

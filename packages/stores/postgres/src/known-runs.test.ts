import type { JournalAppend } from '@parley/core'
import type { RunRow } from '@parley/store-sql'
import { describe, expect, it } from 'vitest'
import { KnownRuns } from './known-runs.ts'

const row: RunRow = {
  run_id: 'r',
  session_id: 's',
  scope: 'default',
  agent: 'a',
  relation: 'initial',
  status: 'running',
  seq: 4,
  started_at: 1,
  updated_at: 2,
  worker: 'w',
  fence: 2,
  parent: null,
  received: 0,
  taken: 0,
  model: null,
  preview: null,
  spent: null,
}
const append: JournalAppend = { runId: 'r', worker: 'w', fence: 2, expectedSeq: 4, entries: [] }

describe('the known rows of runs', () => {
  it('find returns the row from which the append continues', () => {
    const known = new KnownRuns()
    known.keep(row)
    expect(known.find(append)).toBe(row)
  })

  it.each([
    ['another run', { runId: 'other' }],
    ['another worker', { worker: 'v' }],
    ['another claim', { fence: 3 }],
    ['another last entry', { expectedSeq: 3 }],
    ['commands of the inbox, whose number only the database knows', { taken: 0 }],
  ])('find returns no row for an append with %s', (_, change) => {
    const known = new KnownRuns()
    known.keep(row)
    expect(known.find({ ...append, ...change })).toBeUndefined()
  })

  it('keep forgets a run that has ended or is suspended, because no append follows soon', () => {
    const known = new KnownRuns()
    known.keep(row)
    known.keep({ ...row, status: 'suspended' })
    expect(known.find(append)).toBeUndefined()
  })

  it('keep drops the run with the oldest write once there are more than ten thousand', () => {
    const known = new KnownRuns()
    known.keep(row)
    known.keep({ ...row, run_id: 'second' })
    known.keep(row)
    for (let index = 0; index < 9_999; index++) known.keep({ ...row, run_id: `run-${index}` })
    expect(known.find({ ...append, runId: 'second' })).toBeUndefined()
    expect(known.find(append)).toBe(row)
  })
})

import { describe, expect, it } from 'vitest'
import { ZERO_USAGE } from '../model/usage.ts'
import type { Entry } from '../schema/entry.ts'
import { checkAppend, type JournalHead } from './check-append.ts'
import type { JournalAppend } from './journal-append.ts'

const resumed = (seq: number): Entry => ({ v: 1, seq, at: 0, type: 'run.resumed', worker: 'w' })
const released = (seq: number): Entry => ({
  v: 1,
  seq,
  at: 0,
  type: 'run.suspended',
  approvals: [],
  reason: 'shutdown',
})
const ended = (seq: number): Entry => {
  const outcome = { status: 'completed', finish: 'stop' } as const
  return { v: 1, seq, at: 0, type: 'run.ended', outcome, usage: ZERO_USAGE }
}

/** The code of the error for an append of worker `w` with fence 2 to a run of 5 entries. */
function codeOf(changes: Partial<JournalAppend>, head: Partial<JournalHead> = {}): string | undefined {
  const append = { runId: 'r', worker: 'w', fence: 2, expectedSeq: 5, entries: [resumed(6)], ...changes }
  try {
    checkAppend({ seq: 5, worker: 'w', fence: 2, ...head }, append)
    return undefined
  } catch (error) {
    return (error as { code: string }).code
  }
}

describe('checkAppend', () => {
  it('checkAppend accepts the next entries of the worker with the last claim', () => {
    expect(codeOf({})).toBeUndefined()
    expect(codeOf({ entries: [resumed(6), ended(7)] })).toBeUndefined()
  })

  it('checkAppend rejects an append with another fence, older or newer, and an append of another worker', () => {
    expect(codeOf({ fence: 1 })).toBe('store-fenced')
    expect(codeOf({ fence: 3 })).toBe('store-fenced')
    expect(codeOf({ worker: 'other' })).toBe('store-fenced')
  })

  it('checkAppend rejects an append to a journal that is longer or shorter than expected', () => {
    expect(codeOf({ expectedSeq: 4, entries: [resumed(5)] })).toBe('store-conflict')
    expect(codeOf({ expectedSeq: 6, entries: [resumed(7)] })).toBe('store-conflict')
  })

  it('checkAppend rejects the end of a run with unread commands, and allows its release', () => {
    expect(codeOf({ entries: [ended(6)] }, { received: 2, taken: 1 })).toBe('inbox-unread')
    expect(codeOf({ entries: [ended(6)], taken: 2 }, { received: 2, taken: 1 })).toBeUndefined()
    expect(codeOf({ entries: [released(6)] }, { received: 2, taken: 1 })).toBeUndefined()
  })

  it('checkAppend rejects a position that takes commands again or takes commands that never arrived', () => {
    expect(codeOf({ taken: 1 }, { received: 3, taken: 2 })).toBe('internal')
    expect(codeOf({ taken: 4 }, { received: 3, taken: 2 })).toBe('internal')
    expect(codeOf({ taken: 3 }, { received: 3, taken: 2 })).toBeUndefined()
  })
})

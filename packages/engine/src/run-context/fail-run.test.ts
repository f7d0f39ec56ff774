import { ParleyError } from '@parley/core'
import { expect, it } from 'vitest'
import { failRun } from './fail-run.ts'
import type { EntryBody, RunJournal } from './run-journal.ts'

function setup(isBroken = false) {
  const recorded: EntryBody[] = []
  const journal = { isBroken, record: (body: EntryBody) => void recorded.push(body) }
  return { recorded, fail: (cause: unknown) => failRun(journal as unknown as RunJournal, cause, 'instructions') }
}

it('failRun records the error with its phase', () => {
  const { recorded, fail } = setup()
  const error = { code: 'run-unknown', runId: 'r' } as const
  fail(new ParleyError(error))
  fail(new Error('a fault'))
  expect(recorded).toMatchObject([
    { type: 'run.failed', error, phase: 'instructions' },
    { type: 'run.failed', error: { code: 'internal', detail: 'a fault', stack: expect.any(String) as string } },
  ])
})

it.each([
  ['the store failed', new ParleyError({ code: 'store-unavailable', store: 'x', detail: 'y' }), false],
  ['another worker has claimed the run', new ParleyError({ code: 'store-fenced', runId: 'r' }), false],
  ['the journal writes no more', new Error('a fault'), true],
])('failRun throws the error and records nothing if %s', (_, cause, isBroken) => {
  const { recorded, fail } = setup(isBroken)
  expect(() => fail(cause)).toThrow(cause)
  expect(recorded).toEqual([])
})

import { expect, it } from 'vitest'
import { readFailures, summarizeRuns, type SteadyRun, type VitestReport } from './summarize-runs.ts'

type FileResult = VitestReport['testResults'][number]

const file = (fields: Partial<FileResult>): FileResult => ({
  name: '/repo/a.test.ts',
  status: 'failed',
  message: '',
  assertionResults: [],
  ...fields,
})

it('readFailures gives the file, the name and the first line of the error of each failed test', () => {
  const assertionResults = [
    { fullName: 'a is b', status: 'failed', failureMessages: ['Error: no\n    at x', 'Error: other'] },
    { fullName: 'a is a', status: 'passed', failureMessages: null },
  ]
  const report = { success: false, testResults: [file({ assertionResults })] }
  expect(readFailures(report, '/repo')).toEqual([{ test: 'a.test.ts > a is b', error: 'Error: no' }])
})

it('readFailures gives files that cannot be loaded, errors outside the tests and a missing report', () => {
  const broken = file({ message: 'SyntaxError: x\nmore' })
  expect(readFailures({ success: false, testResults: [broken] }, '/repo')).toEqual([
    { test: 'a.test.ts', error: 'SyntaxError: x' },
  ])
  expect(readFailures({ success: false, testResults: [] }, '/repo')).toMatchObject([{ test: 'the run' }])
  expect(readFailures({ success: true, testResults: [] }, '/repo')).toEqual([])
  expect(readFailures(undefined, '/repo')).toEqual([{ test: 'the run', error: 'ended without a report' }])
})

it('summarizeRuns lists the runs, then the tests by the number of their failures', () => {
  const run = (seed: number, ...tests: string[]): SteadyRun => ({
    seed,
    seconds: 61.4,
    peakBytes: 3 * 1024 * 1024,
    failures: tests.map(test => ({ test, error: `Error: ${test} of ${seed}` })),
  })
  expect(summarizeRuns([run(7, 'a'), run(8), run(9, 'a', 'b')]).split('\n')).toEqual([
    'run 1: 1 failed, 61 s, peak 3 MB, seed 7',
    'run 2: 0 failed, 61 s, peak 3 MB, seed 8',
    'run 3: 2 failed, 61 s, peak 3 MB, seed 9',
    'a (2 of 3 runs)',
    '  run 1, seed 7: Error: a of 7',
    '  run 3, seed 9: Error: a of 9',
    'b (1 of 3 runs)',
    '  run 3, seed 9: Error: b of 9',
    'Tests that failed at least once: 2.',
  ])
  expect(summarizeRuns([{ seconds: 1, peakBytes: 0, failures: [] }])).toBe(
    'run 1: 0 failed, 1 s, peak 0 MB\nNo test failed.',
  )
})

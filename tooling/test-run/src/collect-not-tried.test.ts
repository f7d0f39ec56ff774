import { expect, it, type TestContext } from 'vitest'
import type { Reporter, TestResult } from 'vitest/node'
import { collectNotTried, createNotTriedReporter } from './collect-not-tried.ts'
import { notTried } from './not-tried.ts'

type Modules = Parameters<NonNullable<Reporter['onTestRunEnd']>>[0]

/** Returns the result of a test that skips itself with `notTried`, as Vitest reports it. */
function skipped(what: string, why: string): TestResult {
  let note: string | undefined
  const skip = ((given: string) => {
    note = given
  }) as TestContext['skip']
  notTried({ skip }, what, why)
  return { state: 'skipped', note, errors: undefined }
}

const passed: TestResult = { state: 'passed', errors: undefined }
const lacking: TestResult = { state: 'skipped', note: 'the store has no prune', errors: undefined }

it('collectNotTried returns one line for each thing that was not tried, with the number of its tests', () => {
  const sandbox = skipped('commands in a sandbox', 'bubblewrap is not installed')
  const results = [passed, sandbox, skipped('Python', 'python3 is not installed'), lacking, sandbox]
  expect(collectNotTried(results)).toEqual([
    'NOT TRIED HERE: Python, because python3 is not installed (1 test)',
    'NOT TRIED HERE: commands in a sandbox, because bubblewrap is not installed (2 tests)',
  ])
})

it('collectNotTried returns nothing for tests that passed or were skipped for another reason', () => {
  expect(collectNotTried([passed, lacking])).toEqual([])
})

it('the not-tried reporter prints the lines of all files at the end of a run', () => {
  const lines: string[] = []
  const file = (...results: readonly TestResult[]) => ({
    children: { allTests: () => results.map(result => ({ result: () => result })) },
  })
  const modules = [file(passed), file(skipped('Python', 'python3 is not installed'))] as unknown as Modules
  void createNotTriedReporter(line => lines.push(line)).onTestRunEnd?.(modules, [], 'passed')
  expect(lines).toEqual(['NOT TRIED HERE: Python, because python3 is not installed (1 test)'])
})

import type { Reporter, TestModule, TestResult } from 'vitest/node'
import { NOT_TRIED } from './not-tried.ts'

/** Returns one line for each note of `notTried`, with the number of tests that left it. */
export function collectNotTried(results: Iterable<TestResult>): readonly string[] {
  const counts = new Map<string, number>()
  for (const result of results) {
    const note = result.state === 'skipped' ? result.note : undefined
    if (note?.startsWith(NOT_TRIED) === true) counts.set(note, (counts.get(note) ?? 0) + 1)
  }
  return Array.from(counts, ([note, count]) => `${note} (${count === 1 ? '1 test' : `${count} tests`})`).toSorted()
}

/** Prints, at the end of a run, what the tests could not try on this machine. */
export function createNotTriedReporter(
  write = (line: string): void => void process.stdout.write(`${line}\n`),
): Reporter {
  return {
    onTestRunEnd: modules => {
      for (const line of collectNotTried(resultsOf(modules))) write(line)
    },
  }
}

function* resultsOf(modules: readonly TestModule[]): Iterable<TestResult> {
  for (const { children } of modules) for (const test of children.allTests()) yield test.result()
}

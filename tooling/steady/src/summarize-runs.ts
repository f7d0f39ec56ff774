/** A test that failed, or a file that could not be loaded. */
export interface Failure {
  readonly test: string
  /** The first line of the error. */
  readonly error: string
}

export interface SteadyRun {
  readonly seconds: number
  readonly peakBytes: number
  /** The seed of the order of the tests. @default none */
  readonly seed?: number | undefined
  readonly failures: readonly Failure[]
}

/** The part of the JSON report of Vitest that is read. */
export interface VitestReport {
  readonly success: boolean
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      readonly failureMessages: readonly string[] | null
    }[]
  }[]
}

/** Returns the failures of a run. @param report `undefined` if the run ended without one. */
export function readFailures(report: VitestReport | undefined, root: string): readonly Failure[] {
  if (report === undefined) return [{ test: 'the run', error: 'ended without a report' }]
  const failures = report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = name.replace(`${root}/`, '')
    const failed = assertionResults.filter(test => test.status === 'failed')
    if (failed.length === 0 && status === 'failed') return [{ test: file, error: firstLine(message) }]
    return failed.map(test => ({ test: `${file} > ${test.fullName}`, error: firstLine(test.failureMessages?.[0]) }))
  })
  if (failures.length > 0 || report.success) return failures
  return [{ test: 'the run', error: 'an error outside the tests, which Vitest prints above' }]
}

/** Describes one run in a line. */
export function describeRun(number: number, { seconds, peakBytes, seed, failures }: SteadyRun): string {
  const order = seed === undefined ? '' : `, seed ${seed}`
  const peak = `${Math.round(peakBytes / 1024 / 1024)} MB`
  return `run ${number}: ${failures.length} failed, ${Math.round(seconds)} s, peak ${peak}${order}`
}

/** Lists the runs, and each test that ever failed with its runs and errors. */
export function summarizeRuns(runs: readonly SteadyRun[]): string {
  const byTest = new Map<string, string[]>()
  for (const [index, { failures, seed }] of runs.entries())
    for (const { test, error } of failures) {
      const line = `  run ${index + 1}${seed === undefined ? '' : `, seed ${seed}`}: ${error}`
      byTest.set(test, [...(byTest.get(test) ?? []), line])
    }
  const tests = [...byTest].toSorted(([, a], [, b]) => b.length - a.length)
  const failed = tests.map(([test, lines]) => `${test} (${lines.length} of ${runs.length} runs)\n${lines.join('\n')}`)
  const end = failed.length === 0 ? 'No test failed.' : `Tests that failed at least once: ${failed.length}.`
  return [...runs.map((run, index) => describeRun(index + 1, run)), ...failed, end].join('\n')
}

function firstLine(text: string | undefined): string {
  return (text ?? '').split('\n')[0] ?? ''
}

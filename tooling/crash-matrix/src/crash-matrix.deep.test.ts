// Deep: it kills two processes for each scenario and store, around every append.
import { expect, it } from 'vitest'
import { describeCrashMatrix } from './__fixtures__/describe-crash-matrix.ts'
import type { Crashes } from './__fixtures__/examine-crashes.ts'
import { scenarios } from './__fixtures__/scenarios.ts'

const { crashes: all } = describeCrashMatrix(scenarios.map(({ name }) => name))

it('the matrix has more than 400 kill points, without a lost run or a silent duplicate', () => {
  const sum = (of: (crashes: Crashes) => number): number => all.reduce((total, crashes) => total + of(crashes), 0)
  const total = {
    scenarios: scenarios.length,
    killPoints: sum(({ killPoints }) => killPoints),
    lost: sum(({ lost }) => lost.length),
    duplicates: sum(({ duplicates }) => duplicates.length),
    unknown: sum(({ unknown }) => unknown),
    repeated: sum(({ repeated }) => repeated),
  }
  process.stdout.write(`crash matrix: ${JSON.stringify(total)}\n`)
  expect(total).toMatchObject({ lost: 0, duplicates: 0 })
  expect(total.killPoints).toBeGreaterThan(400)
  // The matrix is a proof only if some crashes hide the outcome of a call and some cause a call to run again.
  expect(total.unknown).toBeGreaterThan(0)
  expect(total.repeated).toBeGreaterThan(0)
})

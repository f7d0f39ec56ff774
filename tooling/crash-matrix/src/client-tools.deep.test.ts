// Deep: it stops more than 40 scenarios around every append on both stores.
import { expect, it } from 'vitest'
import { clientRaceScenarios } from './__fixtures__/client-race-scenarios.ts'
import { clientScenarios } from './__fixtures__/client-scenarios.ts'
import { describeClientMatrix } from './__fixtures__/describe-client-matrix.ts'

// `crash-matrix.deep.test.ts` kills real processes in the scenarios of `clientScenarios`.
const { crashes } = describeClientMatrix(clientRaceScenarios)

it('calls of the client have more than 40 scenarios, each with its own name', () => {
  const names = [...clientScenarios, ...clientRaceScenarios].map(({ name }) => name)
  const killPoints = crashes.reduce((total, each) => total + each.killPoints, 0)
  process.stdout.write(`client tools: ${JSON.stringify({ scenarios: names.length, killPoints })}\n`)
  expect(new Set(names).size).toBe(names.length)
  expect(names.length).toBeGreaterThan(40)
})

import { expect, it } from 'vitest'
import * as contract from './contract.ts'
import * as testing from './index.ts'

it('the main entry of the testing package exports exactly these values', () => {
  expect(Object.keys(testing).toSorted()).toEqual(['fakeClock', 'scriptedModel'])
})

it('the contract entry of the testing package exports the contract suites', () => {
  expect(Object.keys(contract).toSorted()).toEqual([
    'MODEL_SCENARIOS',
    'createHostWorkers',
    'createScenarioServer',
    'describeArtifactContract',
    'describeDeadLetterContract',
    'describeHostContract',
    'describeModelContract',
    'describeNoteContract',
    'describeStoreContract',
    'describeWorkflowContract',
  ])
})

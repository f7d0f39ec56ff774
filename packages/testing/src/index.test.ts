import { expect, it } from 'vitest'
import * as contract from './contract.ts'
import * as testing from './index.ts'

it('exports what the package promises at run time', () => {
  expect(Object.keys(testing).toSorted()).toEqual(['fakeClock', 'scriptedModel'])
})

it('exports the contract suites on a subpath of their own', () => {
  expect(Object.keys(contract).toSorted()).toEqual([
    'describeArtifactContract',
    'describeDeadLetterContract',
    'describeModelContract',
    'describeNoteContract',
    'describeStoreContract',
    'describeWorkflowContract',
    'scenarioFetch',
  ])
})

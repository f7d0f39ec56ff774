import { expect, it } from 'vitest'
import * as workflow from './index.ts'

it('the package exports exactly these names', () => {
  expect(Object.keys(workflow).toSorted()).toEqual([
    'defineWorkflow',
    'loadWorkflows',
    'parseWorkflow',
    'readWorkflows',
    'saveWorkflow',
    'workflowGraph',
    'workflowOf',
  ])
})

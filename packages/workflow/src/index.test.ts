import { expect, it } from 'vitest'
import * as workflow from './index.ts'

it('exports what the package promises at run time', () => {
  expect(Object.keys(workflow).toSorted()).toEqual([
    'defineWorkflow',
    'loadWorkflows',
    'parseWorkflow',
    'readWorkflows',
    'saveWorkflow',
  ])
})

import { createRuntime } from '@parley/engine'
import { expectTypeOf, it } from 'vitest'
import { defineWorkflow, type WorkflowResult } from './index.ts'

it('types what a run ends with', async () => {
  const workflow = defineWorkflow({ name: 'w', steps: [{ type: 'tool', tool: 't' }] })
  const result = await createRuntime().run(workflow, 'go').result
  if (result.status === 'completed') expectTypeOf(result.output).toEqualTypeOf<WorkflowResult>()
})

it('knows the fields of each kind of step', () => {
  // @ts-expect-error -- an agent needs something to do
  defineWorkflow({ name: 'w', steps: [{ type: 'agent', agent: 'a' }] })
  // @ts-expect-error -- a loop has an end
  defineWorkflow({ name: 'w', steps: [{ type: 'repeat', steps: [], until: true }] })
  // @ts-expect-error -- a condition has one operator
  defineWorkflow({ name: 'w', steps: [{ type: 'if', condition: { equal: [1, 1] }, steps: [] }] })
})

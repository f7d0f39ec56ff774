import { createRuntime } from '@parley/engine'
import { expectTypeOf, it } from 'vitest'
import { defineWorkflow, type WorkflowResult } from './index.ts'

it('the output of a workflow run has the type WorkflowResult', async () => {
  const workflow = defineWorkflow({ name: 'w', steps: [{ type: 'tool', tool: 't' }] })
  const result = await createRuntime().run(workflow, 'go').result
  if (result.status === 'completed') expectTypeOf(result.output).toEqualTypeOf<WorkflowResult>()
})

it('each type of step requires its fields', () => {
  // @ts-expect-error -- an agent step requires a prompt
  defineWorkflow({ name: 'w', steps: [{ type: 'agent', agent: 'a' }] })
  // @ts-expect-error -- a repeat step requires maxTimes
  defineWorkflow({ name: 'w', steps: [{ type: 'repeat', steps: [], until: true }] })
  // @ts-expect-error -- a condition requires a known operator
  defineWorkflow({ name: 'w', steps: [{ type: 'if', condition: { equal: [1, 1] }, steps: [] }] })
})

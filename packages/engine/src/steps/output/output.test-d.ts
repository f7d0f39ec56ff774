import { scriptedModel } from '@parley/testing'
import { expectTypeOf, it } from 'vitest'
import * as z from 'zod'
import { createRuntime, defineAgent } from '../../index.ts'

it('run types the output of a completed run by the schema', async () => {
  const agent = defineAgent({ name: 'a', model: scriptedModel([]), output: z.object({ n: z.number() }) })
  const result = await createRuntime().run(agent, 'go').result
  if (result.status === 'completed') expectTypeOf(result.output).toEqualTypeOf<{ n: number }>()
})

it('run leaves the output of an agent unknown, if the agent is given by name or has a JSON Schema', async () => {
  const agent = defineAgent({ name: 'a', model: scriptedModel([]), output: { type: 'object' } })
  for (const which of ['a', agent]) {
    const result = await createRuntime({ agents: [agent] }).run(which, 'go').result
    if (result.status === 'completed') expectTypeOf(result.output).toEqualTypeOf<unknown>()
  }
})

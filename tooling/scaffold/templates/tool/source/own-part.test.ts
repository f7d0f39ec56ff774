import { createRuntime, defineAgent } from '@parley/engine'
import { scriptedModel } from '@parley/testing'
import { expect, it } from 'vitest'
import { ownPart } from './own-part.ts'

it('own_part returns its result to the model, and rejects input that does not fit', async () => {
  const calls = [{ text: 'abc' }, { text: 3 }].map(input => ({ toolCalls: [{ name: 'own_part', input }] }))
  const agent = defineAgent({ name: 'a', model: scriptedModel([...calls, 'done']), tools: [ownPart] })
  await using runtime = createRuntime({ agents: [agent] })
  const results: unknown[] = []
  const run = runtime.run('a', 'go')
  for await (const event of run)
    if (event.type === 'tool.ended') results.push(event.error?.code ?? event.message.structured)
  expect(results).toEqual([{ characters: 3 }, 'tool-input-invalid'])
})

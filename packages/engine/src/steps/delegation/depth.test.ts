import { defineTool, type Limits } from '@parley/core'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { createRuntime, defineAgent } from '../../index.ts'

/** An agent that calls itself in every run, and answers with what it got. */
function runOfItself(limits?: Limits, asked?: Limits) {
  const store = createMemoryStore()
  const again = defineTool({
    name: 'again',
    description: 'Calls the same agent.',
    input: { type: 'object' },
    async execute(_, { delegate }) {
      const result = await delegate?.({ agent: 'self', input: 'go', limits: asked })
      return result?.status === 'completed' ? result.text : result?.partialText
    },
  })
  const model = scriptedModel(({ messages }) => {
    const [part] = messages.at(-1)?.content ?? []
    const text = typeof part === 'object' && 'text' in part ? part.text : ''
    return messages.length === 1 ? { toolCalls: [{ name: 'again' }] } : text
  })
  const runtime = createRuntime({ store, agents: [defineAgent({ name: 'self', model, tools: [again], limits })] })
  return { runtime, model, store }
}

describe('the limit of levels of child runs', () => {
  it('an agent that calls itself ends after ten levels, and each run completes', async () => {
    const { runtime, model, store } = runOfItself()
    const result = await runtime.invoke('self', 'go')
    expect(result).toMatchObject({
      status: 'completed',
      text: 'The run reached its limit of 10 levels of child runs (10).',
    })
    expect(model.requests).toHaveLength(22)
    const statuses = (await store.runs({ scope: 'default' })).map(({ status }) => status)
    expect(statuses).toEqual(Array.from({ length: 11 }, () => 'completed'))
  })

  it.each([
    ['of the agent', [{ maxDepth: 2 }], 3],
    ['of the handler', [undefined, { maxDepth: 3 }], 5],
  ] as const)('maxDepth %s counts from its run', async (_, limits, runs) => {
    const { runtime, store } = runOfItself(...limits)
    await runtime.invoke('self', 'go')
    expect(await store.runs({ scope: 'default' })).toHaveLength(runs)
  })
})

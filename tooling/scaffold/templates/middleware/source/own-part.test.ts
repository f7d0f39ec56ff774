import { defineTool } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { ownPart } from './own-part.ts'

describe('ownPart', () => {
  it('ownPart answers calls above its limit with an error', async () => {
    let executed = 0
    const tool = defineTool({
      name: 'count',
      description: 'Counts.',
      input: { type: 'object' },
      execute: () => ++executed,
    })
    const call = { toolCalls: [{ name: 'count', input: {} }] }
    const agent = defineAgent({
      name: 'a',
      model: scriptedModel([call, call, 'done']),
      tools: [tool],
      middleware: [ownPart({ maxCalls: 1 })],
    })
    await using runtime = createRuntime({ agents: [agent] })
    const results: unknown[] = []
    const run = runtime.run('a', 'go')
    for await (const event of run) if (event.type === 'tool.ended') results.push(event.message.isError ?? false)
    expect(results).toEqual([false, true])
    expect(executed).toBe(1)
  })

  it('ownPart rejects a limit of zero', () => {
    expect(() => ownPart({ maxCalls: 0 })).toThrow(/ownPart\.maxCalls/)
  })
})

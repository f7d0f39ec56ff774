import { defineMiddleware, defineTool, type Tool, type ToolSource } from '@parley/core'
import { scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { createRuntime, defineAgent } from '../../index.ts'
import { add, callAdd, setup } from '../../runtime/__fixtures__/set-up-agent.ts'

const toolDescriptions = { add: 'Adds two amounts of money.' }
const look = defineTool({ name: 'look', description: 'Looks.', input: { type: 'object' }, execute: () => 'seen' })

function sourceOf(...tools: readonly Tool[]): ToolSource {
  return { name: 's', tools: async () => tools, [Symbol.asyncDispose]: async () => {} }
}

function toldOf({ model }: Pick<ReturnType<typeof setup>, 'model'>): string[][] {
  return model.requests.map(request => request.tools.map(({ description }) => description))
}

describe('descriptions an agent gives of its tools', () => {
  it('toolDescriptions change only what the model reads about a tool', async () => {
    const seen: Tool[] = []
    const spy = defineMiddleware('spy', () => ({
      tool(call, next) {
        seen.push(call.tool)
        return next(call)
      },
    }))
    const given = setup([callAdd, 'Done.'], { tools: [add, look], toolDescriptions, middleware: [spy] })
    const { messages } = await given.run().result
    expect(toldOf(given)).toEqual([
      ['Adds two amounts of money.', 'Looks.'],
      ['Adds two amounts of money.', 'Looks.'],
    ])
    const [first] = given.model.requests
    expect(first?.tools[0]?.inputSchema).toMatchObject({ required: ['a'] })
    expect(seen).toEqual([add])
    expect(seen[0]).toBe(add)
    expect(messages.find(({ role }) => role === 'tool')?.content).toMatchObject([{ text: '3' }])
  })

  it('toolDescriptions apply to the tools of a source', async () => {
    const given = setup(['Done.'], {
      tools: [sourceOf(add)],
      toolDescriptions: { ...toolDescriptions, later: 'Later.' },
    })
    await given.run().result
    expect(toldOf(given)).toEqual([['Adds two amounts of money.']])
  })

  it('toolDescriptions apply to named tools, and an unknown name is rejected when they are resolved', async () => {
    const model = scriptedModel(['Done.'])
    const runtime = createRuntime({
      tools: [add],
      agents: [defineAgent({ name: 'a', model, tools: ['add'], toolDescriptions })],
    })
    await runtime.run('a', 'go').result
    expect(toldOf({ model })).toEqual([['Adds two amounts of money.']])
    const wrong = defineAgent({ name: 'b', model, tools: ['add'], toolDescriptions: { ad: 'Adds.' } })
    expect(() => runtime.agents.register(wrong)).toThrow(
      'agents.b.toolDescriptions.ad: describes a tool the agent does not have. Its tools: add.',
    )
  })

  it('toolDescriptions apply to transfer tools and the final answer tool', async () => {
    const told = { transfer_to_b: 'For refunds.', final_answer: 'Say it here.' }
    const given = setup([{ toolCalls: [{ name: 'final_answer', input: {} }] }], {
      tools: [],
      handoffs: [defineAgent({ name: 'b', model: scriptedModel([]) })],
      output: { type: 'object' },
      outputOptions: { strategy: 'tool' },
      toolDescriptions: told,
    })
    await given.run().result
    expect(toldOf(given)).toEqual([Object.values(told)])
  })
})

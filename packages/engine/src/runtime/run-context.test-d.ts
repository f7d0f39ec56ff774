import { defineTool, type RunWith, type Tool, type ToolContext } from '@parley/core'
import { scriptedModel } from '@parley/testing'
import { expectTypeOf, it } from 'vitest'
import * as z from 'zod'
import { createRuntime, defineAgent, type Agent } from '../index.ts'

const model = scriptedModel([])
const order = defineTool({
  name: 'order',
  description: 'd',
  input: z.object({ item: z.string() }),
  execute: ({ item }, { run }: ToolContext<{ userId: string }>) => {
    expectTypeOf(item).toEqualTypeOf<string>()
    expectTypeOf(run.context).toEqualTypeOf<{ userId: string }>()
    return run.context.userId
  },
})
const price = defineTool({
  name: 'price',
  description: 'd',
  input: z.object({ item: z.string() }),
  execute: (_, { run }: ToolContext<{ currency: 'eur' | 'usd' }>) => run.context.currency,
})
const plain = defineTool({ name: 'plain', description: 'd', input: z.object({}), execute: () => 1 })
const shop = defineAgent({ name: 'shop', model, tools: [order, price, plain] })

it('an agent expects the context that all its tools read', () => {
  expectTypeOf(shop).toEqualTypeOf<
    Agent<unknown, 'shop', typeof order | typeof price | typeof plain, { userId: string } & { currency: 'eur' | 'usd' }>
  >()
  expectTypeOf(shop).toExtend<Agent>()
  expectTypeOf(order).toExtend<Tool>()
})

it('a run of an agent whose tools read a context must be given it', () => {
  const runtime = createRuntime({ agents: [shop] })
  const context = { userId: 'ada', currency: 'eur' } as const
  runtime.run(shop, 'go', { context })
  runtime.run('shop', 'go', { context, sessionId: 's' })
  void runtime.invoke(shop, 'go', { context })
  // @ts-expect-error -- the context is missing
  runtime.run(shop, 'go')
  // @ts-expect-error -- the context is missing
  runtime.run('shop', 'go', { sessionId: 's' })
  // @ts-expect-error -- the context has no currency
  runtime.run(shop, 'go', { context: { userId: 'ada' } })
  // @ts-expect-error -- no such currency
  void runtime.invoke('shop', 'go', { context: { userId: 'ada', currency: 'gbp' } })
})

it('instructions that are a function read the context of the tools, or add their own', () => {
  const typed = defineAgent({
    name: 'a',
    model,
    tools: [order],
    instructions: ({ context, sessionId }) => `${context.userId} ${sessionId}`,
  })
  const own = defineAgent({
    name: 'b',
    model,
    tools: [order],
    instructions: async ({ context }: RunWith<{ language: string }>) => context.language,
  })
  const runtime = createRuntime({ agents: [typed, own] })
  runtime.run('a', 'go', { context: { userId: 'ada' } })
  runtime.run('b', 'go', { context: { userId: 'ada', language: 'en' } })
  // @ts-expect-error -- the instructions read a language
  runtime.run('b', 'go', { context: { userId: 'ada' } })
  // @ts-expect-error -- the instructions must be a text
  defineAgent({ name: 'c', model, instructions: () => 1 })
})

it('a run of an agent whose tools read no context may have any', () => {
  const runtime = createRuntime()
  runtime.run(defineAgent({ name: 'a', model, tools: [plain] }), 'go')
  runtime.run('a', 'go', { context: { userId: 'ada' } })
  runtime.run({ name: 'a', model } satisfies Agent, 'go', { context: 1 })
})

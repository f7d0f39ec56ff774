import { defineTool, toolOk, type Json, type RunEvent, type ToolSource } from '@parley/core'
import { scriptedModel } from '@parley/testing'
import { expectTypeOf, it } from 'vitest'
import * as z from 'zod'
import { agentTool, createRuntime, defineAgent, type Agent, type Run, type Runtime } from '../index.ts'

const model = scriptedModel([])
const weather = defineTool({
  name: 'weather',
  description: 'd',
  input: z.object({ city: z.string(), on: z.coerce.date() }),
  output: z.object({ degrees: z.number() }),
  execute: () => ({ degrees: 21 }),
})
const note = defineTool({
  name: 'note',
  description: 'd',
  input: z.object({ text: z.string() }),
  execute: () => toolOk(''),
})
const forecaster = defineAgent({
  name: 'forecaster',
  model,
  tools: [weather, note],
  output: z.object({ rain: z.boolean() }),
})
const poet = defineAgent({ name: 'poet', model, output: z.object({ lines: z.array(z.string()) }) })

it('an event of a tool has the types of that tool', async () => {
  for await (const event of createRuntime().run(forecaster, 'go')) {
    if (event.type === 'tool.started' && event.name === 'weather') {
      // The journal has the date as a text.
      expectTypeOf(event.input).toEqualTypeOf<{ city: string; on: string }>()
      expectTypeOf(event.attempt).toEqualTypeOf<number>()
    }
    if (event.type === 'tool.ended' && event.name === 'weather')
      expectTypeOf(event.message.structured).toEqualTypeOf<{ degrees: number } | undefined>()
    if (event.type === 'tool.started' && event.name === 'note')
      expectTypeOf(event.input).toEqualTypeOf<{ text: string }>()
    if (event.type === 'tool.ended' && event.name === 'note')
      expectTypeOf(event.message.structured).toEqualTypeOf<Json | undefined>()
    if (event.type === 'text.delta') expectTypeOf(event.text).toEqualTypeOf<string>()
    // @ts-expect-error -- the agent has no such tool
    if (event.type === 'tool.started' && event.name === 'wether') break
    expectTypeOf(event).toExtend<RunEvent>()
  }
})

it('a run by name has the types of the agent that the runtime was created with', async () => {
  const runtime = createRuntime({ agents: [forecaster, poet] })
  expectTypeOf((await runtime.invoke('forecaster', 'go')).output).toEqualTypeOf<{ rain: boolean }>()
  expectTypeOf((await runtime.invoke('poet', 'go')).output).toEqualTypeOf<{ lines: string[] }>()
  expectTypeOf((await runtime.run('poet', 'go').orThrow()).output).toEqualTypeOf<{ lines: string[] }>()
  for await (const event of runtime.run('forecaster', 'go')) {
    if (event.type === 'tool.started' && event.name === 'weather')
      expectTypeOf(event.input).toEqualTypeOf<{ city: string; on: string }>()
  }
})

it('a run of an agent object has the types of that object', async () => {
  const runtime = createRuntime({ agents: [poet] })
  expectTypeOf((await runtime.invoke(forecaster, 'go')).output).toEqualTypeOf<{ rain: boolean }>()
})

it('a name that the compiler does not know is a run of any agent', async () => {
  const runtime = createRuntime({ agents: [poet] })
  const name: string = 'poet'
  expectTypeOf((await runtime.invoke('registered later', 'go')).output).toEqualTypeOf<unknown>()
  expectTypeOf((await runtime.invoke(name, 'go')).output).toEqualTypeOf<unknown>()
  expectTypeOf(createRuntime().run('a', 'go')).toEqualTypeOf<Run>()
})

it('a runtime and a run with types fit where any are expected', () => {
  const runtime = createRuntime({ agents: [forecaster, poet] })
  expectTypeOf(runtime).toExtend<Runtime>()
  expectTypeOf(runtime.run(forecaster, 'go')).toExtend<Run>()
  expectTypeOf(forecaster).toExtend<Agent>()
  const anyOf = <TOutput>(agent: Agent<TOutput>): Promise<TOutput> =>
    runtime.invoke(agent, 'go').then(({ output }) => output)
  expectTypeOf(anyOf(poet)).toEqualTypeOf<Promise<{ lines: string[] }>>()
})

it('events stay open for an agent that has tools whose names the compiler does not know', () => {
  const runtime = createRuntime()
  const source = {} as ToolSource
  expectTypeOf(runtime.run(defineAgent({ name: 'a', model, tools: [weather, source] }), 'go')).toEqualTypeOf<Run>()
  expectTypeOf(runtime.run(defineAgent({ name: 'a', model, handoffs: [poet] }), 'go')).toEqualTypeOf<Run>()
  expectTypeOf(runtime.run(defineAgent({ name: 'a', model, tools: [agentTool(poet)] }), 'go')).toEqualTypeOf<Run>()
})

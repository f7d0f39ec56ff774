import { slidingWindow } from '@parley/context-policies'
import { ParleyError, type ModelSettings } from '@parley/core'
import { fakeClock, scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { charCounter } from '../steps/context/__fixtures__/scope-over.ts'
import { createMemoryStore } from '@parley/memory-store'
import { agentTool, createRuntime, defineAgent } from '../index.ts'

const own: ModelSettings = { temperature: 0.2, thinking: 'low', seed: 1 }

/** An agent `a` that hands over to `b` when asked, and an agent `c` with an output schema. */
function setup(onClose: 'cancel' | 'suspend' = 'cancel') {
  const store = createMemoryStore()
  const transfer = { toolCalls: [{ name: 'transfer_to_b' }] }
  const model = scriptedModel(({ messages }) => (JSON.stringify(messages).includes('over') ? transfer : 'from a'))
  const second = scriptedModel(['from b'])
  const b = defineAgent({ name: 'b', model: second, settings: { maxOutputTokens: 9, temperature: 1 } })
  const a = defineAgent({ name: 'a', model, settings: own, handoffs: [b] })
  const c = defineAgent({
    name: 'c',
    model: scriptedModel(['{}'], { info: { structuredOutput: 'schema' } }),
    output: z.object({}),
  })
  return { store, model, second, agents: [a, b, c], runtime: createRuntime({ store, agents: [a, b, c], onClose }) }
}

describe('the settings of a run', () => {
  it('settings of a run override the agent’s field by field, for this run only', async () => {
    const { runtime, model } = setup()
    await runtime.invoke('a', 'one', { settings: { temperature: 0.9, thinking: 'high', topP: undefined } })
    await runtime.invoke('a', 'two')
    const settings = model.requests.map(request => request.settings)
    expect(settings).toEqual([{ temperature: 0.9, thinking: 'high', seed: 1 }, own])
  })

  it('settings of a run apply after a handoff and not to child runs', async () => {
    const { runtime, second } = setup()
    await runtime.invoke('a', 'over', { settings: { temperature: 0.9 } })
    expect(second.requests[0]?.settings).toEqual({ maxOutputTokens: 9, temperature: 0.9 })

    const child = scriptedModel(['done'])
    const caller = scriptedModel([{ toolCalls: [{ name: 'child', input: { task: 't' } }] }, 'ok'])
    const tools = [agentTool(defineAgent({ name: 'child', description: 'd', model: child, settings: own }))]
    const team = createRuntime({ agents: [defineAgent({ name: 'caller', model: caller, tools })] })
    await team.invoke('caller', 'go', { settings: { temperature: 0.9 } })
    expect(child.requests[0]?.settings).toEqual(own)
  })

  it('a tool choice of the settings holds for the first model call of each run, and none for all', async () => {
    const call = { toolCalls: [{ name: 'look', input: {} }] }
    const look = { name: 'look', description: 'd', input: { type: 'object' }, execute: () => 'seen' } as const
    const model = scriptedModel(({ messages }) => (messages.at(-1)?.role === 'user' ? call : 'Done.'))
    const agent = defineAgent({ name: 'd', model, tools: [look], settings: { toolChoice: 'required' } })
    const runtime = createRuntime({ agents: [agent] })
    await runtime.invoke('d', 'one')
    await runtime.invoke('d', 'two', { settings: { toolChoice: { name: 'look' } } })
    await runtime.invoke('d', 'three', { settings: { toolChoice: 'none' } })
    const choices = model.requests.map(({ toolChoice }) => toolChoice)
    expect(choices).toEqual(['required', 'auto', { name: 'look' }, 'auto', 'none', 'none'])
  })

  it.each<[string, ModelSettings]>([
    ['topK', { topK: 0 }],
    ['frequencyPenalty', { frequencyPenalty: 2.5 }],
    ['presencePenalty', { presencePenalty: Number.NaN }],
    ['toolChoice', { toolChoice: 'any' as 'auto' }],
  ])('a run refuses an invalid %s with config-invalid', (field, settings) => {
    const { runtime } = setup()
    let thrown: unknown
    try {
      runtime.run('a', 'go', { settings })
    } catch (error) {
      thrown = error
    }
    expect(ParleyError.is(thrown, 'config-invalid') && thrown.info.path).toBe(`settings.${field}`)
  })

  it('a resumed run keeps its settings', async () => {
    const { runtime, store, agents } = setup('suspend')
    const hang = scriptedModel([{ hang: true }])
    const first = createRuntime({ store, agents: [{ ...agents[0], name: 'a', model: hang }], onClose: 'suspend' })
    const run = first.run('a', 'one', { settings: { temperature: 0.9 } })
    for await (const { type } of run) if (type === 'model.started') break
    await first.close({ drainMs: 0 })
    expect((await store.read(run.runId))[0]).toMatchObject({ settings: { temperature: 0.9 } })
    const { runs } = await runtime.resumeAll()
    await runs[0]?.result
    const model = agents[0]?.model as ReturnType<typeof scriptedModel>
    expect(model.requests[0]?.settings).toEqual({ ...own, temperature: 0.9 })
  })

  it('forks and reruns keep the settings while the agent is the same', async () => {
    const { runtime, model, second } = setup()
    const { runId } = await runtime.invoke('a', 'one', { settings: { temperature: 0.9 } })
    await (
      await runtime.rerun(runId)
    ).result
    await (
      await runtime.fork(runId, { input: 'two', settings: { seed: 2 } })
    ).result
    expect(model.requests.slice(1).map(({ settings }) => settings)).toEqual([
      { ...own, temperature: 0.9 },
      { ...own, seed: 2 },
    ])
    await (
      await runtime.rerun(runId, { agent: 'b' })
    ).result
    expect(second.requests[0]?.settings.temperature).toBe(1)
  })

  it('maxOutputTokens of a run changes the room that the context policy leaves', async () => {
    const model = scriptedModel(() => 'ok', { info: { contextWindow: 1_000 } })
    const agent = defineAgent({ name: 'a', model, context: slidingWindow(), tokenCounter: charCounter })
    const runtime = createRuntime({ agents: [agent], clock: fakeClock() })
    const history = Array.from({ length: 6 }, (_, index) => ({
      role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
      content: [{ type: 'text' as const, text: 'x'.repeat(80) }],
    }))
    await runtime.invoke('a', 'go', { history })
    await runtime.invoke('a', 'go', { history, settings: { maxOutputTokens: 700 } })
    const [whole, cut] = model.requests.map(({ messages }) => messages.length)
    expect(whole).toBe(7)
    expect(cut).toBeLessThan(7)
  })

  it.each([
    ['a', { temperature: -1 }, 'settings.temperature'],
    ['a', { warmth: 1 }, 'run.settings.warmth'],
    ['c', { output: 'json' }, 'settings.output'],
  ] as const)('a run of agent %s rejects the settings %j', (agent, settings, path) => {
    const { runtime } = setup()
    const refused = (): unknown => {
      try {
        return runtime.run(agent, 'go', { settings: settings as ModelSettings })
      } catch (error) {
        return ParleyError.is(error) ? error.info : error
      }
    }
    expect(refused()).toMatchObject({ code: 'config-invalid', path })
  })

  it('settings of a run keep the output schema of the agent after a handoff', async () => {
    const { agents } = setup()
    const [, , c] = agents
    const front = defineAgent({
      name: 'front',
      model: scriptedModel([{ toolCalls: [{ name: 'transfer_to_c' }] }]),
      handoffs: c === undefined ? [] : [c],
    })
    const runtime = createRuntime({ agents: [front] })
    const result = await runtime.invoke(front, 'go', { settings: { output: 'json', temperature: 0 } })
    expect(result).toMatchObject({ status: 'completed', output: {} })
    const model = c?.model as ReturnType<typeof scriptedModel>
    expect(model.requests[0]?.settings).toMatchObject({ temperature: 0, output: { name: 'final_answer' } })
  })
})

describe('the instructions of a run', () => {
  it('instructions of a run come after those of each agent, for this run only', async () => {
    const { agents } = setup()
    const [first, second] = agents.map(({ name, model }) => ({ name, model, instructions: `You are ${name}.` }))
    const team = [
      { ...first, name: 'a', handoffs: ['b'] },
      { ...second, name: 'b' },
    ]
    const runtime = createRuntime({ agents: team })
    await runtime.invoke('a', 'over', { instructions: 'Speak French.' })
    await runtime.invoke('a', 'hello')
    const told = agents.slice(0, 2).flatMap(({ model }) => (model as ReturnType<typeof scriptedModel>).requests)
    const own = { text: 'Speak French.', volatile: true }
    expect(told.map(({ system }) => system)).toEqual([
      [{ text: 'You are a.' }, own],
      [{ text: 'You are a.' }],
      [{ text: 'You are b.' }, own],
    ])
  })

  it('instructions of a run come after the shared output instructions', async () => {
    const model = scriptedModel(['{"n":1}'], { info: { structuredOutput: 'none', toolCalls: false } })
    const output = z.object({ n: z.number() })
    const runtime = createRuntime({ agents: [defineAgent({ name: 'a', model, output })] })
    await runtime.invoke('a', 'go', { instructions: 'Be quick.' })
    const [request] = model.requests
    expect(request?.system).toHaveLength(2)
    expect(request?.system.at(-1)).toEqual({ text: 'Be quick.', volatile: true })
  })

  it('resumed runs, forks and reruns keep the instructions of the run', async () => {
    const { store, agents, runtime, model } = setup('suspend')
    const hang = scriptedModel([{ hang: true }])
    const first = createRuntime({ store, agents: [{ ...agents[0], name: 'a', model: hang }], onClose: 'suspend' })
    const run = first.run('a', 'one', { instructions: 'Be quick.' })
    for await (const { type } of run) if (type === 'model.started') break
    await first.close({ drainMs: 0 })
    const { runs } = await runtime.resumeAll()
    await runs[0]?.result
    await (
      await runtime.rerun(run.runId)
    ).result
    await (
      await runtime.fork(run.runId, { input: 'two', instructions: 'Be slow.' })
    ).result
    const texts = model.requests.map(({ system }) => system.map(({ text }) => text).join())
    expect(texts).toEqual(['Be quick.', 'Be quick.', 'Be slow.'])
  })
})

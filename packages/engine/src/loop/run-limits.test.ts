import { ParleyError } from '@parley/core'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { agentTool, createRuntime, defineAgent, type RuntimeOptions } from '../index.ts'

const pricing = { input: 1_000_000, output: 0 }
const usage = { input: 1, output: 0 }
const asks = {
  name: 'asks',
  description: 'd',
  input: { type: 'object' },
  permission: 'ask',
  execute: () => 'ok',
} as const

/** An agent whose every model call costs one dollar and asks for a tool call. Its own limit is ten dollars. */
function setup(
  tool: Partial<typeof asks> | { permission: 'allow' } = { permission: 'allow' },
  options: RuntimeOptions = {},
) {
  const model = scriptedModel(() => ({ toolCalls: [{ name: 'asks' }], usage }), { info: { pricing } })
  const agent = defineAgent({ name: 'a', model, tools: [{ ...asks, ...tool }], limits: { maxCost: 10, maxTurns: 4 } })
  const store = createMemoryStore()
  return { model, agent, store, runtime: createRuntime({ agents: [agent], store, ...options }) }
}

describe('the limits of a run', () => {
  it('limits of a run override the agent’s field by field, for this run only', async () => {
    const { runtime } = setup()
    const run = await runtime.run('a', 'go', { limits: { maxCost: 2 } }).result
    expect(run).toMatchObject({ status: 'limit', hit: { limit: 'cost', max: 2, value: 2 } })
    expect(await runtime.run('a', 'go', { limits: { maxCost: undefined } }).result).toMatchObject({
      hit: { limit: 'turns', max: 4 },
    })
  })

  it('limits of a run hold for its child runs together, and after a handoff', async () => {
    const { agent } = setup()
    const boss = (call: string) =>
      scriptedModel(() => ({ toolCalls: [{ name: call, input: { task: 't' } }], usage }), { info: { pricing } })
    const tools = [agentTool({ ...agent, description: 'd' })]
    const parent = defineAgent({ name: 'parent', model: boss('a'), tools })
    const giver = defineAgent({ name: 'giver', model: boss('transfer_to_a'), handoffs: [agent] })
    const runtime = createRuntime({ agents: [parent, giver] })
    const limits = { maxCost: 3 }
    for (const name of ['parent', 'giver']) {
      const result = await runtime.run(name, 'go', { limits }).result
      expect(result).toMatchObject({ status: 'limit', hit: { limit: 'cost', max: 3, value: 3 }, cost: { usd: 3 } })
    }
  })

  it('a resumed run keeps its limits, also one that removes the agent’s limit', async () => {
    const { agent, store, runtime } = setup({ permission: 'ask' })
    const asked = await runtime.run('a', 'go', { limits: { maxCost: 2, maxTurns: Infinity } }).result
    let waiting = asked
    const again = createRuntime({ agents: [agent], store, isWorkerGone: () => true })
    for (let calls = 0; calls < 2 && waiting.status === 'suspended'; calls++) {
      const approvalId = waiting.approvals[0]?.approvalId ?? ''
      waiting = await (await again.decide(waiting.runId, approvalId, { decision: { type: 'approved' } })).result
    }
    expect(waiting).toMatchObject({ status: 'limit', hit: { limit: 'cost', max: 2 } })
    const [started] = await store.read(asked.runId)
    expect(started).toMatchObject({ limits: { maxCost: 2, maxTurns: 'unlimited' } })
  })

  it('a rerun has the limits of the other run, unless it has its own', async () => {
    const { runtime } = setup()
    const { runId } = await runtime.run('a', 'go', { limits: { maxCost: 2 } }).result
    expect(await (await runtime.rerun(runId)).result).toMatchObject({ hit: { limit: 'cost', max: 2 } })
    expect(await (await runtime.rerun(runId, { limits: { maxCost: 3 } })).result).toMatchObject({
      hit: { limit: 'cost', max: 3 },
    })
  })

  it('a cost limit of the runtime’s defaults holds for each run of each agent that sets none', async () => {
    const { model } = setup()
    const agent = defineAgent({ name: 'b', model, tools: [{ ...asks, permission: 'allow' }] })
    const runtime = createRuntime({ agents: [agent], defaults: { limits: { maxCost: 1 } } })
    for (let runs = 0; runs < 2; runs++)
      expect(await runtime.run('b', 'go').result).toMatchObject({ hit: { limit: 'cost', max: 1, value: 1 } })
  })

  it.each([
    [{ maxCost: 0 }, 'limits.maxCost: is 0; must be above 0'],
    [{ maxTokens: 'x' }, 'limits.maxTokens: is'],
    [{ maxUsd: 1 }, 'run.limits.maxUsd: is an unknown option'],
    [{ maxCost: 1 }, 'limits.maxCost: cannot be enforced: the prices of scripted/script are unknown'],
  ])('runtime.run rejects the limits %j with config-invalid', (limits, message) => {
    const agent = defineAgent({ name: 'free', model: scriptedModel(['x']) })
    const begin = () => createRuntime().run(agent, 'go', { limits: limits as object })
    expect(begin).toThrow(message)
    expect(begin).toThrow(ParleyError)
  })
})

import { defineTool, type RunWith } from '@parley/core'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel, type Script } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { agentTool, createRuntime, defineAgent, effectiveSystemPrompt, type Agent } from '../index.ts'

const look = defineTool({
  name: 'look',
  description: 'd',
  input: { type: 'object' },
  effect: 'read',
  execute: () => 'x',
})
const pay = defineTool({ ...look, name: 'pay', permission: 'ask' })

function agentWith(script: Script, instructions: Agent['instructions'], fields: Partial<Agent> = {}) {
  const model = scriptedModel(script)
  const agent: Agent = defineAgent({ name: 'a', model, tools: [look, pay], ...fields, instructions })
  return { agent, system: () => model.requests.map(request => request.system.map(({ text }) => text).join()) }
}

describe('instructions that are a function', () => {
  it('the model of a run receives the text that the function writes for the run, evaluated once', async () => {
    let calls = 0
    const given: unknown[] = []
    const { agent, system } = agentWith([{ toolCalls: [{ name: 'look' }] }, 'Done.'], async run => {
      given.push(run)
      return `${++calls} ${run.sessionId} ${JSON.stringify(run.context)}`
    })
    const run = createRuntime().run(agent, 'go', { sessionId: 's', context: { userId: 'ada' }, instructions: 'Own.' })
    await run.result
    expect(system()).toEqual(Array.from({ length: 2 }, () => '1 s {"userId":"ada"},Own.'))
    expect(given).toMatchObject([{ runId: run.runId, agent: 'a', scope: 'default' }])
  })

  it('a run that another process resumes keeps the text of its journal', async () => {
    const store = createMemoryStore()
    const first = agentWith([{ toolCalls: [{ name: 'pay' }] }], () => 'First.')
    const asked = await createRuntime({ agents: [first.agent], store }).run('a', 'go').result
    if (asked.status !== 'suspended') throw new Error(asked.status)
    const second = agentWith(['Done.'], () => 'Second.')
    const going = await createRuntime({ agents: [second.agent], store }).decide(
      asked.runId,
      asked.approvals[0]?.approvalId ?? '',
      { decision: { type: 'approved' } },
    )
    expect(await going.result).toMatchObject({ status: 'completed' })
    expect([first.system(), second.system()]).toEqual([['First.'], ['First.']])
    const entries = await store.read(asked.runId)
    expect(entries.filter(({ type }) => type === 'instructions.evaluated')).toMatchObject([
      { agent: 'a', text: 'First.' },
    ])
  })

  it('a resumed run whose journal has no text evaluates the function', async () => {
    const store = createMemoryStore()
    const first = agentWith([{ toolCalls: [{ name: 'pay' }] }], 'Fixed.')
    const asked = await createRuntime({ agents: [first.agent], store }).run('a', 'go').result
    if (asked.status !== 'suspended') throw new Error(asked.status)
    const second = agentWith(['Done.'], () => 'Written.')
    const [request] = asked.approvals
    const runtime = createRuntime({ agents: [second.agent], store })
    const going = await runtime.decide(request?.approvalId ?? '', { decision: { type: 'approved' } })
    await going.result
    expect(second.system()).toEqual(['Written.'])
  })

  it('an agent that the run is handed over to has its own text, also after a resume', async () => {
    const store = createMemoryStore()
    const runtimeWith = (name: string) => {
      const target = agentWith([{ toolCalls: [{ name: 'pay' }] }, 'Paid.'], run => `${name} for ${run.agent}.`, {
        name: 'b',
      })
      const front = agentWith([{ toolCalls: [{ name: 'transfer_to_b' }] }], () => `${name} front.`, {
        handoffs: [target.agent],
      })
      return { runtime: createRuntime({ agents: [front.agent, target.agent], store }), target, front }
    }
    const first = runtimeWith('First')
    const asked = await first.runtime.run('a', 'go').result
    if (asked.status !== 'suspended') throw new Error(asked.status)
    expect([first.front.system(), first.target.system()]).toEqual([['First front.'], ['First for b.']])
    const second = runtimeWith('Second')
    const [request] = asked.approvals
    const going = await second.runtime.decide(request?.approvalId ?? '', { decision: { type: 'approved' } })
    await going.result
    expect(second.target.system()[0]).toBe('First for b.')
  })

  it('a handoff to an agent with fixed instructions leaves the text behind', async () => {
    const target = agentWith(['Done.'], 'Fixed.', { name: 'b' })
    const front = agentWith([{ toolCalls: [{ name: 'transfer_to_b' }] }], () => 'Written.', {
      handoffs: [target.agent],
    })
    await createRuntime({ agents: [front.agent] }).run('a', 'go').result
    expect(target.system()).toEqual(['Fixed.'])
  })

  it('a child run has the text for its own run', async () => {
    const child = agentWith(
      ['Helped.'],
      (run: RunWith<unknown>) => `${run.path.length} ${JSON.stringify(run.context)}`,
      {
        name: 'child',
      },
    )
    const lead = agentWith([{ toolCalls: [{ name: 'child', input: { task: 't' } }] }, 'Done.'], () => 'Lead.', {
      tools: [agentTool(child.agent)],
    })
    await createRuntime().run(lead.agent, 'go', { context: 7 }).result
    expect(child.system()).toEqual(['2 7'])
  })

  it.each<[string, Agent['instructions'], string]>([
    [
      'throws',
      () => {
        throw new Error('no such user')
      },
      "the instructions of the agent 'a' threw: no such user",
    ],
    [
      'rejects',
      () => Promise.reject(new Error('no such user')),
      "the instructions of the agent 'a' threw: no such user",
    ],
    ['returns no text', () => undefined as never, 'agents.a.instructions: returned undefined; must return a text'],
  ])('a function that %s fails the run before its model is called', async (_, instructions, message) => {
    const store = createMemoryStore()
    const { agent, system } = agentWith(['Done.'], instructions)
    const runtime = createRuntime({ agents: [agent], store })
    await expect(runtime.invoke('a', 'go')).rejects.toThrow(message)
    expect(system()).toEqual([])
    const [record] = await runtime.runs()
    expect(record).toMatchObject({ status: 'failed' })
    const entries = await store.read(record?.runId ?? '')
    expect(entries.find(({ type }) => type === 'run.failed')).toMatchObject({ phase: 'instructions' })
  })

  it('a run can be cancelled while the function waits', async () => {
    const waiting = Promise.withResolvers<string>()
    const { agent } = agentWith(['Done.'], () => waiting.promise)
    const store = createMemoryStore()
    const run = createRuntime({ store }).run(agent, 'go')
    setTimeout(() => void run.cancel())
    expect(await run.result).toMatchObject({ status: 'cancelled' })
    expect((await store.read(run.runId)).filter(({ type }) => type === 'run.failed')).toEqual([])
  })

  it('effectiveSystemPrompt rejects an agent whose instructions are a function', () => {
    const { agent } = agentWith([], () => 'x')
    expect(() => effectiveSystemPrompt(agent)).toThrow('agents.a.instructions: is a function of a run')
  })
})

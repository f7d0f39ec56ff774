import { defineMiddleware, defineTool, toolHandoff, type ToolHandoff } from '@parley/core'
import { scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '@parley/memory-store'
import { createRuntime, defineAgent, type Agent } from '../../index.ts'
import { isValidTranscript, loadRun } from '../../journal.ts'
import { add, eventsOf } from '../../runtime/__fixtures__/set-up-agent.ts'
import { resultsIn } from '../delegation/__fixtures__/set-up-team.ts'

const TRANSFER = { toolCalls: [{ name: 'transfer_to_billing', input: {} }] }

/** An agent that hands over to `billing`. */
function setUpHandoff({ front = {}, billing = {} }: { front?: Partial<Agent>; billing?: Partial<Agent> } = {}) {
  const frontModel = scriptedModel([TRANSFER], { id: 'front' })
  const billingModel = scriptedModel(['Paid.'], { id: 'billing' })
  const target = defineAgent({ name: 'billing', instructions: 'Bill.', model: billingModel, tools: [add], ...billing })
  const agent = defineAgent({ name: 'front', instructions: 'Greet.', model: frontModel, handoffs: [target], ...front })
  return { frontModel, billingModel, agent, target, runtime: createRuntime({ agents: [agent] }) }
}

/** A tool that returns the given handoff. */
function handing(outcome: () => ToolHandoff, name = 'hand') {
  return defineTool({ name, description: 'Hands over.', input: { type: 'object' }, execute: outcome })
}

describe('a handoff', () => {
  it('after a handoff the target answers with its own instructions, model, tools and settings, and the result names it', async () => {
    const { frontModel, billingModel, runtime } = setUpHandoff({ billing: { settings: { temperature: 0 } } })
    const run = runtime.run('front', 'go')
    const events = await eventsOf(run)
    const result = await run.result
    expect(result).toMatchObject({ status: 'completed', text: 'Paid.', agent: 'billing', turns: 2 })
    expect(resultsIn(result.messages)).toEqual(['Handed over to billing.'])
    expect(frontModel.requests[0]?.tools.map(({ name }) => name)).toEqual(['transfer_to_billing'])
    expect(billingModel.requests[0]).toMatchObject({
      system: [{ text: 'Bill.' }],
      messages: [{ role: 'user' }, { role: 'assistant' }, { role: 'tool' }],
      tools: [{ name: 'add' }],
      settings: { temperature: 0 },
    })
    expect(events.find(event => event.type === 'agent.changed')).toMatchObject({
      from: 'front',
      to: 'billing',
      model: 'scripted/billing',
      callId: 'call_1',
      carryContext: true,
    })
    expect(events.findLast(event => event.type === 'model.called')?.model).toBe('scripted/billing')
  })

  it('a handoff with a task shows the task to the target as the last message', async () => {
    const { agent, billingModel, target } = setUpHandoff()
    const model = scriptedModel([{ toolCalls: [{ name: 'transfer_to_billing', input: { task: 'Send the bill.' } }] }])
    const runtime = createRuntime({ agents: [{ ...agent, model, handoffs: [target] }] })
    const result = await runtime.run('front', 'go').result
    expect(billingModel.requests[0]?.messages.at(-1)).toMatchObject({
      role: 'user',
      content: [{ text: 'Send the bill.' }],
    })
    expect(result.messages).toHaveLength(5)
  })

  it('a handoff without context shows the target only the task, and the result keeps all messages', async () => {
    const store = createMemoryStore()
    const { billingModel, target } = setUpHandoff()
    const model = scriptedModel([{ toolCalls: [{ name: 'hand' }] }])
    const tools = [handing(() => toolHandoff(target, { task: 'Send it.', carryContext: false }))]
    const agents = [defineAgent({ name: 'front', model, tools, handoffs: [target] })]
    const result = await createRuntime({ agents, store }).run('front', 'secret').result
    expect(billingModel.requests[0]?.messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Send it.' }] },
    ])
    expect(result.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user', 'assistant'])
    expect(isValidTranscript(result.messages)).toBe(true)
    expect((await loadRun(store, result.runId)).transcript.toArray()).toEqual(result.messages)
  })

  it('a handoff waits for the other calls of the same answer, and a second handoff in it fails', async () => {
    const { target, billingModel } = setUpHandoff()
    const other = defineAgent({ name: 'other', model: scriptedModel([]) })
    const calls = [
      { name: 'transfer_to_billing' },
      { name: 'transfer_to_other' },
      { name: 'add', input: { a: 1, b: 2 } },
    ]
    const model = scriptedModel([{ toolCalls: calls }])
    const runtime = createRuntime({
      agents: [defineAgent({ name: 'front', model, tools: [add], handoffs: [target, other] })],
    })
    const run = runtime.run('front', 'go')
    const types = (await eventsOf(run)).map(event => event.type)
    expect(resultsIn((await run.result).messages)).toEqual([
      'Handed over to billing.',
      "'transfer_to_other' failed: another call of the same answer has handed over to 'billing'.",
      '3',
    ])
    expect(types.lastIndexOf('tool.ended')).toBeLessThan(types.indexOf('agent.changed'))
    expect(billingModel.requests[0]?.messages).toHaveLength(5)
  })

  it.each([
    [
      'an unknown agent',
      () => toolHandoff('nobody'),
      "There is no agent named 'nobody'. Known agents: billing, front.",
    ],
    ['the same agent', () => toolHandoff('front'), "'front' is the agent that answers already."],
  ])('a handoff to %s returns an error to the model', async (_, outcome, words) => {
    const { target } = setUpHandoff()
    const model = scriptedModel([{ toolCalls: [{ name: 'hand' }] }, 'Still here.'])
    const front = defineAgent({ name: 'front', model, tools: [handing(outcome)], handoffs: [target] })
    const result = await createRuntime({ agents: [front] }).run('front', 'go').result
    expect(resultsIn(result.messages)[0]).toContain(words)
    expect(result).toMatchObject({ agent: 'front', text: 'Still here.' })
  })

  it('a run keeps the turn limit of its first agent, so a loop of handoffs ends', async () => {
    const agent = (name: string, other: string): Agent =>
      defineAgent({
        name,
        model: scriptedModel(() => ({ toolCalls: [{ name: `transfer_to_${other}` }] }), { id: name }),
        handoffs: [other],
        limits: { maxTurns: name === 'ping' ? 5 : 500 },
      })
    const result = await createRuntime({ agents: [agent('ping', 'pong'), agent('pong', 'ping')] }).run('ping', 'go')
      .result
    expect(result).toMatchObject({ status: 'limit', turns: 5, hit: { limit: 'turns', max: 5 } })
    expect(isValidTranscript(result.messages)).toBe(true)
  })

  it('a run with a cost limit rejects a handoff to an agent without prices', async () => {
    const info = { pricing: { input: 1, output: 1, source: 'here', date: '2026-01-01' } }
    const model = scriptedModel([{ toolCalls: [{ name: 'transfer_to_billing' }] }, 'No.'], { info })
    const { target } = setUpHandoff()
    expect(() => defineAgent({ name: 'front', model, handoffs: [target], limits: { maxCost: 1 } })).toThrow(
      'agents.front.limits.maxCost: cannot be enforced: the prices of scripted/billing are unknown',
    )
    const front = defineAgent({ name: 'front', model, handoffs: ['billing'], limits: { maxCost: 1 } })
    const result = await createRuntime({ agents: [front, target] }).run('front', 'go').result
    expect(resultsIn(result.messages)[0]).toContain('agents.billing.limits.maxCost: cannot be enforced')
    expect(result.agent).toBe('front')
  })

  it('a handoff switches the call middleware, starts shared middleware once and keeps every event listener', async () => {
    const log: string[] = []
    const spy = (name: string) => {
      let begun = 0
      return defineMiddleware(name, run => {
        begun += 1
        return {
          model: (call, next) => {
            log.push(`${name}${begun} model of ${run.agent}`)
            return next(call)
          },
          event: event => event.type === 'run.ended' && log.push(`${name} saw the end of ${run.agent}`),
        }
      })
    }
    const both = spy('both')
    const { runtime } = setUpHandoff({
      front: { middleware: [spy('f'), both] },
      billing: { middleware: [both, spy('b')] },
    })
    await runtime.run('front', 'go').result
    expect(log).toEqual([
      'f1 model of front',
      'both1 model of front',
      'both1 model of billing',
      'b1 model of billing',
      'f saw the end of billing',
      'both saw the end of billing',
      'b saw the end of billing',
    ])
  })

  it('tools and permissions receive the name of the agent that answers', async () => {
    const seen: string[] = []
    const who = defineTool({
      name: 'who',
      description: 'Who.',
      input: { type: 'object' },
      permission: (_, { agent }) => (seen.push(agent), 'allow'),
      execute: (_, { run }) => run.agent,
    })
    const model = scriptedModel([{ toolCalls: [{ name: 'who' }] }, 'Done.'])
    const { runtime } = setUpHandoff({ billing: { model, tools: [who] } })
    expect(resultsIn((await runtime.run('front', 'go').result).messages)).toEqual([
      'Handed over to billing.',
      'billing',
    ])
    expect(seen).toEqual(['billing'])
  })

  it.each(['agent.changed', 'tool.ended', 'model.called'] as const)(
    'a run resumes with the new agent when a crash follows %s',
    async type => {
      const { agent, target } = setUpHandoff()
      const store = createMemoryStore()
      const { runId } = await createRuntime({ agents: [agent], store }).run('front', 'go').result
      const entries = await store.read(runId)
      const cut = entries.findLastIndex(entry => entry.type === type) + 1
      const crashed = createMemoryStore()
      await crashed.append({ runId, expectedSeq: 0, worker: 'gone', fence: 1, entries: entries.slice(0, cut) })
      const model = scriptedModel(['After the crash.'])
      const again = defineAgent({ ...agent, model: scriptedModel([]), handoffs: [{ ...target, model }] })
      const runtime = createRuntime({ agents: [again], store: crashed })
      const result = await (await runtime.resume(runId)).result
      expect(result).toMatchObject({ status: 'completed', agent: 'billing', text: 'After the crash.' })
      expect(model.requests[0]?.system).toEqual([{ text: 'Bill.' }])
    },
  )

  it('a handoff to an agent that is missing after a crash fails the run, or the resume', async () => {
    const { agent, target } = setUpHandoff({})
    const front = { ...agent, model: scriptedModel([TRANSFER]), handoffs: ['billing'] }
    const store = createMemoryStore()
    const { runId } = await createRuntime({ agents: [front, target], store }).run('front', 'go').result
    const entries = await store.read(runId)
    const resumeAfter = async (type: string) => {
      const crashed = createMemoryStore()
      const cut = entries.findIndex(entry => entry.type === type) + 1
      await crashed.append({ runId, expectedSeq: 0, worker: 'gone', fence: 1, entries: entries.slice(0, cut) })
      return (await createRuntime({ agents: [front], store: crashed }).resume(runId)).result
    }
    expect(await resumeAfter('tool.ended')).toMatchObject({ status: 'failed', error: { code: 'agent-unknown' } })
    await expect(resumeAfter('agent.changed')).rejects.toThrow("There is no agent named 'billing'")
  })

  it('after a handoff the run asks the target’s approval handler', async () => {
    const careful = { ...add, permission: 'ask' as const }
    const model = scriptedModel([{ toolCalls: [{ name: 'add', input: { a: 1 } }] }, 'Done.'])
    const { runtime } = setUpHandoff({ billing: { model, tools: [careful], onApproval: () => ({ type: 'approved' }) } })
    expect(resultsIn((await runtime.run('front', 'go').result).messages)).toEqual(['Handed over to billing.', '2'])
  })
})

describe('handoffs of a definition', () => {
  const model = scriptedModel([])
  it.each<[string, Partial<Agent>, string]>([
    ['the same agent', { handoffs: ['front'] }, 'agents.front.handoffs[0]: is the agent itself'],
    ['an empty name', { handoffs: [''] }, 'agents.front.handoffs[0]: must be an agent or the name of one'],
    [
      'two agents with the same tool name',
      { handoffs: ['a b', 'a_b'] },
      "'a_b' would be called 'transfer_to_a_b', as is the handoff to 'a b'",
    ],
    [
      'an agent whose transfer tool has the name of another tool',
      { handoffs: ['x'], tools: [{ ...add, name: 'transfer_to_x' }] },
      "as is the tool 'transfer_to_x'",
    ],
  ])('defineAgent rejects handoffs to %s', (_, fields, words) => {
    expect(() => defineAgent({ name: 'front', model, ...fields })).toThrow(words)
  })

  it('createRuntime checks the agents that an agent hands over to', () => {
    const broken = { name: 'broken', model, limits: { maxTurns: -1 } }
    expect(() => createRuntime({ agents: [{ name: 'front', model, handoffs: [broken] }] })).toThrow(
      'agents.broken.limits.maxTurns',
    )
  })

  it('a transfer tool describes what the target is good for', () => {
    const target = { name: 'x', model, description: 'Knows prices.' }
    const front = scriptedModel(['Hi.'])
    const runtime = createRuntime({ agents: [{ name: 'front', model: front, handoffs: [target] }] })
    return runtime.run('front', 'go').result.then(() => {
      expect(front.requests[0]?.tools[0]?.description).toBe(
        "Hands the conversation over to 'x', who answers from then on. Knows prices.",
      )
    })
  })
})

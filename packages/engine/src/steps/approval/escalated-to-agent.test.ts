import { defineTool, messageText, type ApprovalDecision, type Message, type Store, type Tool } from '@parley/core'
import { scriptedModel, type ScriptedCall } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '@parley/memory-store'
import { agentTool, createRuntime, defineAgent, type Agent, type RunResult } from '../../index.ts'
import { isValidTranscript } from '../../journal.ts'

const TO_EXPERT: ApprovalDecision = { type: 'escalated', agent: 'expert', task: 'Look at this payment.' }

interface Setup {
  /** @default a paying tool */
  readonly calls?: readonly ScriptedCall[]
  readonly clerk?: Partial<Agent>
  readonly expert?: Partial<Agent>
  readonly tools?: readonly Tool[]
}

/** A clerk whose payments need approval, and an expert that the clerk itself cannot hand over to. */
function setup({ calls = [{ name: 'pay', input: { amount: 5 } }], clerk, expert, tools = [] }: Setup = {}) {
  const paid: unknown[] = []
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    input: { type: 'object' },
    permission: 'ask',
    execute: input => {
      paid.push(input)
      return 'paid'
    },
  })
  const seen: (readonly Message[])[] = []
  const expertModel = scriptedModel(({ messages }) => {
    seen.push(messages)
    return 'The expert has looked.'
  })
  const clerkModel = scriptedModel(({ messages }) =>
    messages.at(-1)?.role === 'user' ? { toolCalls: [...calls] } : 'The clerk goes on.',
  )
  const agents = [
    defineAgent({ name: 'clerk', model: clerkModel, tools: [pay, ...tools], ...clerk }),
    defineAgent({ name: 'expert', model: expertModel, ...expert }),
  ]
  return {
    paid,
    seen,
    agents,
    runtimeOn: (store?: Store) => createRuntime({ agents, store, isWorkerGone: () => true }),
  }
}

function waiting(result: RunResult): { readonly runId: string; readonly ids: readonly string[] } {
  if (result.status !== 'suspended') throw new Error(`the run is ${result.status}`)
  return { runId: result.runId, ids: result.approvals.map(({ approvalId }) => approvalId) }
}

/** Decides and waits for the result. */
async function decided(
  given: ReturnType<typeof setup>,
  store: Store,
  [runId, id, decision]: readonly [string, string, ApprovalDecision],
) {
  return (await given.runtimeOn(store).decide(runId, id, { decision })).result
}

const resultsIn = (messages: readonly Message[]): readonly string[] =>
  messages.flatMap(message => (message.role === 'tool' ? messageText(message) : []))

describe('a call that is escalated to an agent', () => {
  it('a call that is escalated to an agent does not run, and the agent continues with the conversation and the task in another process', async () => {
    const given = setup()
    const store = createMemoryStore()
    const { runId, ids } = waiting(await given.runtimeOn(store).run('clerk', 'Pay 5.').result)
    const result = await decided(given, store, [runId, ids[0] ?? '', TO_EXPERT])
    expect(result).toMatchObject({ status: 'completed', text: 'The expert has looked.', agent: 'expert' })
    expect(given.paid).toEqual([])
    expect(given.seen.map(messages => messages.map(messageText))).toEqual([
      ['Pay 5.', '', expect.stringContaining('was not run'), 'Look at this payment.'],
    ])
    expect(isValidTranscript(result.messages)).toBe(true)
    const entries = await store.read(runId)
    expect(entries.find(entry => entry.type === 'approval.decided')).toMatchObject({ decision: TO_EXPERT })
    expect(entries.find(entry => entry.type === 'agent.changed')).toMatchObject({ from: 'clerk', to: 'expert' })
  })

  it('an escalation to an agent has the same result after a crash at any entry', async () => {
    const given = setup()
    const store = createMemoryStore()
    const { runId, ids } = waiting(await given.runtimeOn(store).run('clerk', 'Pay 5.').result)
    const whole = await decided(given, store, [runId, ids[0] ?? '', TO_EXPERT])
    const entries = await store.read(runId)
    const from = entries.findIndex(({ type }) => type === 'approval.decided') + 1
    expect(entries.length - from).toBeGreaterThan(4)
    for (let length = from; length < entries.length; length++) {
      const left = createMemoryStore()
      await left.append({ runId, expectedSeq: 0, worker: 'gone', fence: 1, entries: entries.slice(0, length) })
      const result = await (await given.runtimeOn(left).resume(runId)).result
      expect(result.messages.map(messageText)).toEqual(whole.messages.map(messageText))
      expect(given.paid).toEqual([])
    }
  })

  it('an escalation to an agent waits for the other calls of the same answer', async () => {
    const given = setup({
      calls: [
        { name: 'pay', input: { amount: 1 } },
        { name: 'pay', input: { amount: 2 } },
      ],
    })
    const store = createMemoryStore()
    const { runId, ids } = waiting(await given.runtimeOn(store).run('clerk', 'Pay.').result)
    const still = waiting(await decided(given, store, [runId, ids[0] ?? '', TO_EXPERT]))
    expect(still.ids).toEqual([ids[1]])
    const result = await decided(given, store, [runId, ids[1] ?? '', { type: 'approved' }])
    expect(result).toMatchObject({ status: 'completed', agent: 'expert' })
    expect(given.paid).toEqual([{ amount: 2 }])
    expect(resultsIn(result.messages)).toEqual([expect.stringContaining('was not run'), 'paid'])
    expect(isValidTranscript(result.messages)).toBe(true)
  })

  it('the first of two escalations to an agent counts', async () => {
    const given = setup({ calls: [{ name: 'pay' }, { name: 'pay' }] })
    const store = createMemoryStore()
    const { runId, ids } = waiting(await given.runtimeOn(store).run('clerk', 'Pay.').result)
    await decided(given, store, [runId, ids[0] ?? '', TO_EXPERT])
    const result = await decided(given, store, [runId, ids[1] ?? '', TO_EXPERT])
    expect(result).toMatchObject({ status: 'completed', agent: 'expert' })
    expect(resultsIn(result.messages)[1]).toContain('another call of the same answer has handed over')
    expect(given.paid).toEqual([])
  })

  it('a call stays suspended when it is escalated to an agent that cannot continue', async () => {
    const whole = defineAgent({ name: 'whole', model: scriptedModel(['From the whole one.']) })
    const given = setup({ clerk: { handoffs: [whole] } })
    const store = createMemoryStore()
    const { runId, ids } = waiting(await given.runtimeOn(store).run('clerk', 'Pay 5.').result)
    const before = await store.read(runId)
    const attempt = (agent: string) => decided(given, store, [runId, ids[0] ?? '', { type: 'escalated', agent }])
    await expect(attempt('nobody')).rejects.toMatchObject({
      info: { code: 'agent-unknown', agent: 'nobody', known: ['whole', 'clerk', 'expert'] },
    })
    await expect(attempt('clerk')).rejects.toMatchObject({ info: { code: 'request-invalid', path: 'decision.agent' } })
    expect(await store.read(runId)).toEqual(before)
    expect(await store.run(runId)).toMatchObject({ status: 'suspended' })
    expect(await attempt('whole')).toMatchObject({ status: 'completed', text: 'From the whole one.' })
  })

  it('the model receives the reason when only the run shows that the agent cannot continue', async () => {
    const instructions = { template: 'For {{who}}.', variables: ['who'], required: ['who'] }
    const given = setup({ expert: { instructions } })
    const store = createMemoryStore()
    const { runId, ids } = waiting(await given.runtimeOn(store).run('clerk', 'Pay 5.').result)
    const result = await decided(given, store, [runId, ids[0] ?? '', TO_EXPERT])
    expect(result).toMatchObject({ status: 'completed', agent: 'clerk', text: 'The clerk goes on.' })
    expect(resultsIn(result.messages)[0]).toContain("the instructions of 'expert' need who")
    expect(given.paid).toEqual([])
  })

  it('an approval handler can escalate to an agent, and the model receives the error if the agent is unknown', async () => {
    for (const [agent, expected] of [
      ['expert', { agent: 'expert' }],
      ['nobody', { agent: 'clerk', text: 'The clerk goes on.' }],
    ] as const) {
      const given = setup({ clerk: { onApproval: () => ({ type: 'escalated', agent }) } })
      const result = await given.runtimeOn().run('clerk', 'Pay 5.').result
      expect(result).toMatchObject({ status: 'completed', ...expected })
      expect(isValidTranscript(result.messages)).toBe(true)
      expect(given.paid).toEqual([])
    }
  })

  it('an escalated call of a child run lets the other agent continue the child run', async () => {
    const { paid, agents } = setup()
    const model = scriptedModel(({ messages }) =>
      messages.length === 1 ? { toolCalls: [{ name: 'clerk', input: { task: 'Pay 5.' } }] } : 'Done.',
    )
    const lead = defineAgent({ name: 'lead', model, tools: [agentTool('clerk')] })
    const store = createMemoryStore()
    const newRuntime = () => createRuntime({ agents: [lead, ...agents], store })
    const { runId, ids } = waiting(await newRuntime().run('lead', 'Go.').result)
    const decide = (agent: string) =>
      newRuntime().decide(runId, ids[0] ?? '', { decision: { type: 'escalated', agent } })
    await expect(decide('nobody')).rejects.toMatchObject({ info: { code: 'agent-unknown' } })
    expect(await store.run(runId)).toMatchObject({ status: 'suspended' })
    const result = await (await decide('expert')).result
    expect(result).toMatchObject({ status: 'completed', agent: 'lead', text: 'Done.' })
    expect(resultsIn(result.messages)).toEqual(['The expert has looked.'])
    expect(paid).toEqual([])
  })
})

describe('an escalation while the run is driven', () => {
  function working() {
    const gate = Promise.withResolvers<string>()
    const begun = Promise.withResolvers<void>()
    const work = defineTool({
      name: 'work',
      description: 'Works.',
      input: { type: 'object' },
      execute: () => {
        begun.resolve()
        return gate.promise
      },
    })
    const given = setup({ calls: [{ name: 'pay' }, { name: 'work' }], tools: [work] })
    const store = createMemoryStore()
    const driver = given.runtimeOn(store)
    const begin = async () => {
      const run = driver.run('clerk', 'Pay 5.')
      await begun.promise
      for await (const event of run) {
        if (event.type === 'approval.requested') return { run, approvalId: event.request.approvalId }
      }
      throw new Error('nothing waits')
    }
    return { ...given, store, driver, begin, release: () => gate.resolve('worked') }
  }

  it('an escalation reaches a driven run from this and another process, and an unknown agent is rejected', async () => {
    for (const from of ['driver', 'other'] as const) {
      const given = working()
      const { run, approvalId } = await given.begin()
      const runtime = from === 'driver' ? given.driver : createRuntime({ agents: given.agents, store: given.store })
      const decide = (agent: string) =>
        runtime.decide(run.runId, approvalId, { decision: { type: 'escalated', agent } })
      await expect(decide('nobody')).rejects.toMatchObject({ info: { code: 'agent-unknown' } })
      await decide('expert')
      given.release()
      expect(await run.result).toMatchObject({ status: 'completed', agent: 'expert' })
      expect(given.paid).toEqual([])
    }
  })

  it('an escalation to an agent that the driver does not know counts when the run is suspended', async () => {
    const given = working()
    const { run, approvalId } = await given.begin()
    const far = createRuntime({
      store: given.store,
      agents: [...given.agents, defineAgent({ name: 'nobody', model: scriptedModel(['Looked.']) })],
    })
    const deciding = far.decide(run.runId, approvalId, { decision: { type: 'escalated', agent: 'nobody' } })
    given.release()
    expect(await run.result).toMatchObject({ status: 'suspended', approvals: [{ approvalId }] })
    expect(await (await deciding).result).toMatchObject({ status: 'completed', agent: 'nobody', text: 'Looked.' })
    await far.close()
  })
})

import { defineTool, messageText, type Entry, type Principal, type RunInbox, type Store, type Tool } from '@parley/core'
import { fakeClock, scriptedModel, type ScriptStep } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '@parley/memory-store'
import { agentTool, createRuntime, defineAgent, type Agent } from '../../index.ts'

const call = (name: string): ScriptStep => ({ toolCalls: [{ name }] })

/** A tool that works until it is released or aborted. */
function gatedTool(name = 'work') {
  const gate = Promise.withResolvers<string>()
  const begun = Promise.withResolvers<void>()
  const tool = defineTool({
    name,
    description: 'Works.',
    input: { type: 'object' },
    execute: (_, { signal }) => {
      begun.resolve()
      signal.addEventListener('abort', () => gate.resolve('stopped'))
      return gate.promise
    },
  })
  return { tool, begun: begun.promise, release: () => gate.resolve('worked') }
}

const pay = (permission: Tool['permission'] = 'ask'): Tool =>
  defineTool({ name: 'pay', description: 'Pays.', input: { type: 'object' }, permission, execute: () => 'paid' })

/** Two runtimes over one store. The first one drives the run. */
function setup(steps: readonly ScriptStep[], fields: Partial<Agent> = {}, store: Store = createMemoryStore()) {
  const model = scriptedModel([...steps])
  const agents = () => [defineAgent({ name: 'a', model, ...fields })]
  const driver = createRuntime({ store, agents: agents(), clock: fakeClock() })
  const other = createRuntime({ store, agents: agents(), clock: fakeClock() })
  return { store, model, driver, other }
}

async function types(store: Store, runId: string): Promise<Entry['type'][]> {
  return (await store.read(runId)).map(({ type }) => type)
}

describe('a message for a run that another process drives', () => {
  it('a steering message joins at the next boundary, and a follow-up joins when the run would end', async () => {
    const { tool, begun, release } = gatedTool()
    const { store, model, driver, other } = setup([call('work'), 'One.', 'Two.'], { tools: [tool] })
    const run = driver.run('a', 'go')
    await begun
    await other.followUp(run.runId, 'and then?')
    await other.steer(run.runId, 'faster')
    release()
    expect(await run.result).toMatchObject({ status: 'completed', text: 'Two.' })
    expect(model.requests.map(({ messages }) => messages.map(messageText))).toEqual([
      ['go'],
      ['go', '', 'worked', 'faster'],
      ['go', '', 'worked', 'faster', 'One.', 'and then?'],
    ])
    expect(await store.inbox?.read(run.runId)).toEqual([])
  })

  it('a message that arrives just before the end still joins the run', async () => {
    const kept = createMemoryStore()
    let spoken = false
    const store: Store = {
      ...kept,
      append: async append => {
        const ends = append.entries.some(({ type }) => type === 'run.ended')
        if (ends && !spoken) {
          spoken = true
          await other.followUp(append.runId, 'wait!')
        }
        await kept.append(append)
      },
    }
    const { driver, other } = setup(['Bye.', 'What?'], {}, store)
    const run = driver.run('a', 'go')
    expect(await run.result).toMatchObject({ status: 'completed', text: 'What?' })
    const seqs = (await kept.read(run.runId)).map(({ seq }) => seq)
    expect(seqs).toEqual(seqs.map((_, index) => index + 1))
    expect(await types(kept, run.runId)).toEqual([
      'run.started',
      'message.appended',
      'model.called',
      'message.appended',
      'input.queued',
      'message.appended',
      'model.called',
      'message.appended',
      'run.ended',
    ])
  })

  it('a message from another process passes the input filters, and the journal records their verdict', async () => {
    const { tool, begun, release } = gatedTool()
    const check = (text: string) => (text.includes('key') ? ({ type: 'reject', reason: 'a key' } as const) : 'pass')
    const inputFilters = [
      { name: 'f', check: (message: Parameters<typeof messageText>[0]) => check(messageText(message)) },
    ]
    const { store, driver, other } = setup([call('work'), 'One.'], { tools: [tool], inputFilters })
    const run = driver.run('a', 'go')
    await begun
    await other.steer(run.runId, 'my key')
    release()
    await run.result
    expect(await store.read(run.runId)).toContainEqual(
      expect.objectContaining({ type: 'input.filtered', source: 'steering', verdict: 'reject' }),
    )
    expect(JSON.stringify(await store.read(run.runId))).not.toContain('my key')
  })

  it.each([
    ['refuse', ['one']],
    ['drop-oldest', ['two']],
  ] as const)('a message that finds a full queue with onFull %s is recorded in the journal', async (onFull, joined) => {
    const { tool, begun, release } = gatedTool()
    const { store, model, driver, other } = setup([call('work'), 'x'], {
      tools: [tool],
      queue: { capacity: 1, onFull },
    })
    const run = driver.run('a', 'go')
    await begun
    for (const word of ['one', 'two']) await other.steer(run.runId, word)
    release()
    await run.result
    expect(model.requests[1]?.messages.slice(3).map(messageText)).toEqual(joined)
    expect((await types(store, run.runId)).filter(type => type.startsWith('input.')).toSorted()).toEqual([
      'input.dropped',
      'input.queued',
      'input.queued',
    ])
  })

  it('a message for a run without a driver joins when the run is resumed', async () => {
    const { store, driver, other } = setup([call('pay'), 'Paid.'], { tools: [pay()] })
    const { runId, status } = await driver.run('a', 'go').result
    expect(status).toBe('suspended')
    await other.steer(runId, 'and be quick')
    const entries = await store.read(runId)
    const request = entries.find(entry => entry.type === 'approval.requested')?.request
    const run = await other.decide(runId, request?.approvalId ?? '', { decision: { type: 'approved' } })
    expect((await run.result).messages.map(messageText)).toEqual(['go', '', 'paid', 'and be quick', 'Paid.'])
  })

  it('a message to an ended or unknown run, or to a run of another scope, is rejected', async () => {
    const { driver, other } = setup(['Bye.'])
    const { runId } = await driver.run('a', 'go').result
    await expect(other.steer(runId, 'x')).rejects.toMatchObject({ info: { code: 'run-ended' } })
    await expect(other.followUp(runId, 'x', { scope: 'other' })).rejects.toMatchObject({
      info: { code: 'run-unknown' },
    })
    await expect(other.cancel('nobody')).rejects.toMatchObject({ info: { code: 'run-unknown' } })
    await expect(other.cancel(runId)).rejects.toMatchObject({ info: { code: 'run-ended' } })
  })

  it('a message to a run of this process is delivered directly', async () => {
    const { tool, begun, release } = gatedTool()
    const { model, driver } = setup([call('work'), 'One.'], { tools: [tool] })
    const run = driver.run('a', 'go')
    await begun
    await driver.steer(run.runId, 'faster')
    await expect(driver.steer(run.runId, 'x', { scope: 'other' })).rejects.toMatchObject({
      info: { code: 'run-unknown' },
    })
    release()
    await run.result
    expect(model.requests[1]?.messages.map(messageText)).toContain('faster')
  })

  it('steer rejects a store without an inbox with config-invalid', async () => {
    const { inbox: _inbox, ...store } = createMemoryStore()
    const { tool, begun, release } = gatedTool()
    const { driver, other } = setup([call('work'), 'One.'], { tools: [tool] }, store)
    const run = driver.run('a', 'go')
    await begun
    await expect(other.steer(run.runId, 'x')).rejects.toThrow(
      `'memory' must have an inbox to reach the process that drives run`,
    )
    release()
    expect(await run.result).toMatchObject({ status: 'completed' })
  })
})

describe('cancelling a run from another process', () => {
  it('a cancel from another process aborts running tools and returns the outcome', async () => {
    const { tool, begun } = gatedTool()
    const { driver, other } = setup([call('work')], { tools: [tool] })
    const run = driver.run('a', 'go')
    await begun
    const cancelled = await other.cancel(run.runId, { reason: { kind: 'user', detail: 'enough' } })
    expect(await run.result).toMatchObject({ status: 'cancelled', reason: { detail: 'enough' } })
    expect(await cancelled.result).toMatchObject({ status: 'cancelled', reason: { detail: 'enough' } })
  })

  it('a cancel ends a suspended run without its agent', async () => {
    const { store, driver } = setup([call('pay')], { tools: [pay()] })
    const { runId } = await driver.run('a', 'go').result
    const stranger = createRuntime({ store, clock: fakeClock() })
    const result = await (await stranger.cancel(runId)).result
    expect(result).toMatchObject({ status: 'cancelled', reason: { kind: 'user' } })
    expect(result.messages.at(-1)).toMatchObject({ role: 'tool', isError: true })
  })

  it('a cancel ends a run whose process is gone', async () => {
    const { tool, begun } = gatedTool()
    const { store, driver } = setup([call('work')], { tools: [tool] })
    const run = driver.run('a', 'go')
    await begun
    const clock = fakeClock()
    await clock.advance(60_000)
    const cancelled = await createRuntime({ store, clock }).cancel(run.runId)
    expect(await cancelled.result).toMatchObject({ status: 'cancelled' })
    expect((await store.run(run.runId))?.status).toBe('cancelled')
  })
})

describe('deciding about a run that is driven', () => {
  const both: ScriptStep = { toolCalls: [{ name: 'pay' }, { name: 'work' }] }

  async function asked(store: Store, runId: string): Promise<string> {
    for (;;) {
      for (const entry of await store.read(runId))
        if (entry.type === 'approval.requested') return entry.request.approvalId
      await new Promise(setImmediate)
    }
  }

  it('a decision from this or another process lets the call run after the other calls', async () => {
    for (const from of ['driver', 'other'] as const) {
      const { tool, begun, release } = gatedTool()
      const given = setup([both, 'Done.'], { tools: [pay(), tool] })
      const run = given.driver.run('a', 'go')
      await begun
      const approvalId = await asked(given.store, run.runId)
      const decided = await given[from].decide(run.runId, approvalId, { decision: { type: 'approved' } })
      const again = given[from].decide(run.runId, approvalId, { decision: { type: 'approved' } })
      release()
      expect(await run.result).toMatchObject({ status: 'completed', text: 'Done.' })
      expect(await decided.result).toMatchObject({ status: 'completed', text: 'Done.' })
      await again.catch(error => expect(error).toMatchObject({ info: { code: 'approval-decided' } }))
      const all = await types(given.store, run.runId)
      expect(all.filter(type => type === 'approval.decided')).toHaveLength(1)
      expect(all).not.toContain('run.suspended')
    }
  })

  it('of several concurrent decisions one counts', async () => {
    const { tool, begun, release } = gatedTool()
    const { store, driver, other } = setup([both, 'Done.'], { tools: [pay(), tool] })
    const run = driver.run('a', 'go')
    await begun
    const approvalId = await asked(store, run.runId)
    const decisions = [{ type: 'approved' }, { type: 'rejected', reason: 'no' }, { type: 'approved' }] as const
    await Promise.allSettled(decisions.map(decision => other.decide(run.runId, approvalId, { decision })))
    release()
    await run.result
    expect((await types(store, run.runId)).filter(type => type === 'approval.decided')).toHaveLength(1)
  })

  it('a decision that reaches the inbox after the driver has decided is rejected with approval-decided', async () => {
    const { tool, begun, release } = gatedTool()
    const { store, driver } = setup([both, 'Done.'], { tools: [pay(), tool] })
    const run = driver.run('a', 'go')
    await begun
    const approvalId = await asked(store, run.runId)
    const { inbox } = store
    const put: RunInbox['put'] = async item => {
      await driver.decide(run.runId, approvalId, { decision: { type: 'approved' } })
      return (inbox as RunInbox).put(item)
    }
    const { other } = setup([], {}, { ...store, inbox: { ...(inbox as RunInbox), put } })
    for (const decision of [{ type: 'rejected', reason: 'no' }, { type: 'approved' }] as const) {
      const late = other.decide(run.runId, approvalId, { decision })
      await expect(late).rejects.toMatchObject({ info: { code: 'approval-decided' } })
    }
    release()
    expect(await run.result).toMatchObject({ status: 'completed' })
  })

  it('decide and the driver both reject a decision by the wrong role', async () => {
    const { tool, begun, release } = gatedTool()
    const { store, driver, other } = setup([both, 'Done.'], { tools: [pay({ effect: 'ask', roles: ['boss'] }), tool] })
    const run = driver.run('a', 'go')
    await begun
    const approvalId = await asked(store, run.runId)
    const clerk: Principal = { id: 'c', roles: ['clerk'] }
    const decision = { type: 'approved' } as const
    await expect(other.decide(run.runId, approvalId, { decision, by: clerk })).rejects.toMatchObject({
      info: { code: 'approval-forbidden', roles: ['boss'] },
    })
    // Writes to the store directly, without the checks of `decide`.
    await store.inbox?.put({
      runId: run.runId,
      id: 'forged',
      at: 0,
      command: { type: 'decide', approvalId, decision, by: clerk },
    })
    release()
    expect(await run.result).toMatchObject({ status: 'suspended' })
    expect(await types(store, run.runId)).not.toContain('approval.decided')
  })

  it('a decision ends the question to the approval handler', async () => {
    const stopped = Promise.withResolvers<void>()
    const { store, driver, other } = setup([call('pay'), 'Done.'], {
      tools: [pay()],
      onApproval: (_, { signal }) => {
        signal.addEventListener('abort', () => stopped.resolve())
        return new Promise(() => {})
      },
    })
    const run = driver.run('a', 'go')
    const approvalId = await asked(store, run.runId)
    await other.decide(run.runId, approvalId, { decision: { type: 'approved' } })
    await stopped.promise
    expect(await run.result).toMatchObject({ status: 'completed', text: 'Done.' })
  })

  it('a decision reaches a child run that is still driven', async () => {
    for (const from of ['driver', 'other'] as const) {
      const { tool, begun, release } = gatedTool()
      const helper = (): Agent =>
        defineAgent({ name: 'helper', model: scriptedModel([both, 'Helped.']), tools: [pay(), tool] })
      const ask = (): Tool => agentTool(helper(), { name: 'ask' })
      const store = createMemoryStore()
      const model = scriptedModel([{ toolCalls: [{ name: 'ask', input: { task: 'help' } }] }, 'Done.'])
      const runtime = () =>
        createRuntime({
          store,
          agents: [defineAgent({ name: 'a', model, tools: [ask()] }), helper()],
          clock: fakeClock(),
        })
      const given = { driver: runtime(), other: runtime() }
      const run = given.driver.run('a', 'go')
      await begun
      const [child] = await store.runs({ scope: 'default', relation: 'sub-agent' })
      const childId = child?.runId ?? ''
      const approvalId = await asked(store, childId)
      await given[from].decide(childId, approvalId, { decision: { type: 'approved' } })
      release()
      expect(await run.result).toMatchObject({ status: 'completed', text: 'Done.' })
      expect((await types(store, childId)).filter(type => type === 'tool.ended')).toHaveLength(2)
    }
  })

  it('a decision about an unknown approval is rejected', async () => {
    const { tool, begun, release } = gatedTool()
    const { driver, other } = setup([call('work'), 'Done.'], { tools: [tool] })
    const run = driver.run('a', 'go')
    await begun
    const decide = other.decide(run.runId, 'nobody', { decision: { type: 'approved' } })
    await expect(decide).rejects.toMatchObject({ info: { code: 'approval-unknown' } })
    release()
    await run.result
  })
})

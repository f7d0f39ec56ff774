import { defineTool, ParleyError, type ApprovalDecision, type Store } from '@parley/core'
import { fakeClock, scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '@parley/memory-store'
import { agentTool, createRuntime, defineAgent, type Agent, type Runtime } from '../../index.ts'
import { isValidTranscript } from '../../journal.ts'
import { resultsIn } from './__fixtures__/set-up-team.ts'

const YES: ApprovalDecision = { type: 'approved' }

/** Agents `a0`, `a1`, … Each one calls the next, and the last one pays, which needs approval. */
function setUpChain(depth: number, { expiresInMs, payer = {} }: { expiresInMs?: number; payer?: Partial<Agent> } = {}) {
  const paid: unknown[] = []
  const clock = fakeClock()
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    input: { type: 'object' },
    permission: { effect: 'ask', expiresInMs },
    execute: input => {
      paid.push(input)
      return 'paid'
    },
  })
  const last = `a${depth}`
  let agent = defineAgent({
    name: last,
    model: scriptedModel((_, index) =>
      index === 0 ? { toolCalls: [{ name: 'pay', input: { amount: 5 } }] } : 'Paid.',
    ),
    tools: [pay],
    ...payer,
  })
  for (let level = depth - 1; level >= 0; level--) {
    const { name } = agent
    agent = defineAgent({
      name: `a${level}`,
      model: scriptedModel((_, index) => (index === 0 ? { toolCalls: [{ name, input: { task: 'pay' } }] } : 'Done.')),
      tools: [agentTool(agent)],
    })
  }
  const top = agent
  const runtimeOn = (store?: Store, changes: Partial<Agent> = {}) =>
    createRuntime({ agents: [{ ...top, ...changes }], store, clock })
  return { runtimeOn, paid, clock }
}

/** A store that fails when a parent run first records that its child run is suspended. */
function forgetfulStore(): Store {
  const store = createMemoryStore()
  let failures = 0
  const append: Store['append'] = async journal => {
    if (failures === 0 && journal.entries.some(({ type }) => type === 'agent.suspended')) {
      failures++
      throw new ParleyError({ code: 'store-unavailable', store: 'x', detail: 'y' })
    }
    await store.append(journal)
  }
  return { ...store, append }
}

async function suspend(runtime: Runtime) {
  const result = await runtime.run('a0', 'go').result
  if (result.status !== 'suspended') throw new Error(`the run is ${result.status}`)
  const [request] = result.approvals
  if (request === undefined) throw new Error('nothing waits')
  return { runId: result.runId, request }
}

describe('a child run that needs approval', () => {
  it('a child run that needs approval suspends its parent run, which lists the request with the child run’s id', async () => {
    const store = createMemoryStore()
    const { runtimeOn, paid } = setUpChain(1)
    const { runId, request } = await suspend(runtimeOn(store))
    expect(request).toMatchObject({ name: 'pay', input: { amount: 5 } })
    expect(request.runId).not.toBe(runId)
    expect(await store.run(request.runId ?? '')).toMatchObject({ agent: 'a1', status: 'suspended' })
    expect((await store.read(runId)).slice(-2)).toMatchObject([
      { type: 'agent.suspended', childRunId: request.runId, approvals: [request] },
      { type: 'run.suspended', approvals: [request] },
    ])
    expect(paid).toEqual([])
  })

  it.each([
    ['the parent run', 1, 'caller'],
    ['the child run', 1, 'own'],
    ['the root run, three runs above', 3, 'caller'],
    ['the child run, three runs below', 3, 'own'],
  ] as const)('another process decides a request by the id of %s, and both runs continue', async (_, depth, by) => {
    const store = createMemoryStore()
    const { runtimeOn, paid } = setUpChain(depth)
    const { runId, request } = await suspend(runtimeOn(store))
    const id = by === 'caller' ? runId : (request.runId ?? '')
    const run = await runtimeOn(store).decide(id, request.approvalId, { decision: YES })
    const result = await run.result
    expect(result).toMatchObject({ runId, status: 'completed', text: 'Done.' })
    expect(isValidTranscript(result.messages)).toBe(true)
    expect(resultsIn(result.messages)).toEqual([depth === 1 ? 'Paid.' : 'Done.'])
    expect(paid).toEqual([{ amount: 5 }])
    const runs = await store.runs({ scope: 'default' })
    expect(runs.map(({ status }) => status)).toEqual(runs.map(() => 'completed'))
    expect(runs).toHaveLength(depth + 1)
    const again = runtimeOn(store).decide(runId, request.approvalId, { decision: YES })
    await expect(again).rejects.toThrow('has already ended')
  })

  it.each([1, 3])(
    'a request that the parent runs have not learned of is decided by the id of the root run, %i above',
    async depth => {
      const { runtimeOn, paid } = setUpChain(depth)
      const runtime = runtimeOn(forgetfulStore())
      const { runId, status } = await runtime.run('a0', 'go').result
      expect(status).toBe('interrupted')
      const [request] = (await runtime.pending(runId)).approvals
      expect(request?.runId).not.toBe(runId)
      const run = await runtime.decide(runId, request?.approvalId ?? '', { decision: YES })
      expect((await run.result).status).toBe('completed')
      expect(paid).toEqual([{ amount: 5 }])
    },
  )

  it.each([1, 3])(
    'a call of the client that the parent runs have not learned of takes its result by the id of the root run, %i above',
    async depth => {
      const pay = defineTool({ name: 'pay', description: 'Pays.', input: { type: 'object' } })
      const { runtimeOn } = setUpChain(depth, { payer: { tools: [pay] } })
      const runtime = runtimeOn(forgetfulStore())
      const { runId, status } = await runtime.run('a0', 'go').result
      expect(status).toBe('interrupted')
      const [call] = (await runtime.pending(runId)).clientCalls
      expect(call?.runId).not.toBe(runId)
      await expect(runtime.submitToolResult(runId, 'other', { output: 'paid' })).rejects.toMatchObject({
        code: 'client-call-unknown',
      })
      const run = await runtime.submitToolResult(runId, call?.callId ?? '', { output: 'paid' })
      expect((await run.result).status).toBe('completed')
    },
  )

  it('a child run receives a rejection and a modified input', async () => {
    for (const [decision, amount] of [
      [{ type: 'rejected', reason: 'too much.' }, undefined],
      [{ type: 'modified', input: { amount: 1 } }, { amount: 1 }],
    ] as const) {
      const store = createMemoryStore()
      const { runtimeOn, paid } = setUpChain(2)
      const { runId, request } = await suspend(runtimeOn(store))
      const run = await runtimeOn(store).decide(runId, request.approvalId, { decision })
      expect((await run.result).status).toBe('completed')
      expect(paid).toEqual(amount === undefined ? [] : [amount])
    }
  })

  it('an escalated request of a child run is asked again, and only the named role may decide it', async () => {
    const store = createMemoryStore()
    const { runtimeOn, paid } = setUpChain(1)
    const { runId, request } = await suspend(runtimeOn(store))
    const decision: ApprovalDecision = { type: 'escalated', roles: ['boss'] }
    const result = await (await runtimeOn(store).decide(runId, request.approvalId, { decision })).result
    if (result.status !== 'suspended') throw new Error(result.status)
    const approvalId = result.approvals[0]?.approvalId ?? ''
    await expect(runtimeOn(store).decide(runId, approvalId, { decision: YES })).rejects.toThrow(
      'one of these roles: boss',
    )
    const by = { id: 'ann', roles: ['boss'] }
    await (
      await runtimeOn(store).decide(runId, approvalId, { decision: YES, by })
    ).result
    expect(paid).toEqual([{ amount: 5 }])
    const told = (await store.read(request.runId ?? '')).filter(entry => entry.type === 'approval.decided')
    expect(told.at(-1)).toMatchObject({ approvalId, by })
  })

  it('a resume without a decision does not repeat the request', async () => {
    const store = createMemoryStore()
    const { runtimeOn, paid } = setUpChain(2)
    const { runId, request } = await suspend(runtimeOn(store))
    const result = await (await runtimeOn(store).resume(request.runId ?? '')).result
    expect(result).toMatchObject({ runId, status: 'suspended', approvals: [request] })
    expect(paid).toEqual([])
  })

  it('the request of a child run times out without a resume', async () => {
    const store = createMemoryStore()
    const { runtimeOn, paid, clock } = setUpChain(2, { expiresInMs: 60_000 })
    const runtime = runtimeOn(store)
    const { runId } = await suspend(runtime)
    await clock.advance(60_000)
    expect((await store.run(runId))?.status).toBe('completed')
    expect(paid).toEqual([])
    await runtime.close()
  })

  it('a child run asks its own approval handler, otherwise that of its parent run, and stays in this process', async () => {
    const asked: string[] = []
    const own = setUpChain(1, { payer: { onApproval: (_, { run }) => (asked.push(run.agent), YES) } })
    expect((await own.runtimeOn().run('a0', 'go').result).status).toBe('completed')
    const callers = setUpChain(2)
    const onApproval: Agent['onApproval'] = (_, { run }) => (asked.push(`for ${run.agent}`), YES)
    expect((await callers.runtimeOn(undefined, { onApproval }).run('a0', 'go').result).status).toBe('completed')
    expect(asked).toEqual(['a1', 'for a2'])
    expect([own.paid, callers.paid]).toEqual([[{ amount: 5 }], [{ amount: 5 }]])
  })

  it('a call of a child run is rejected without a store and without an approval handler', async () => {
    const { runtimeOn, paid } = setUpChain(1)
    expect((await runtimeOn().run('a0', 'go').result).status).toBe('completed')
    expect(paid).toEqual([])
  })

  it('cancelling the parent run ends a suspended child run', async () => {
    const store = createMemoryStore()
    const { runtimeOn, paid } = setUpChain(2)
    const { runId } = await suspend(runtimeOn(store))
    const run = await runtimeOn(store).resume(runId)
    void run.cancel()
    const result = await run.result
    expect(result.status).toBe('cancelled')
    expect(isValidTranscript(result.messages)).toBe(true)
    const runs = await store.runs({ scope: 'default' })
    expect(runs.map(({ status }) => status)).toEqual(['cancelled', 'cancelled', 'cancelled'])
    expect(paid).toEqual([])
  })
})

describe('several sub-agents of one call', () => {
  /** A handler that runs two paying agents concurrently and counts its calls. */
  function setUpPair(whilePaying?: (name: string) => Promise<unknown>) {
    const { runtimeOn: _, paid, ...chain } = setUpChain(0)
    const payer = (name: string) =>
      defineAgent({
        name,
        model: scriptedModel((_request, index) =>
          index === 0 ? { toolCalls: [{ name: 'pay', input: { name } }] } : `${name} paid.`,
        ),
        tools: [
          defineTool({
            name: 'pay',
            description: 'Pays.',
            input: { type: 'object' },
            permission: 'ask',
            execute: async input => {
              await whilePaying?.(name)
              paid.push(input)
              return 'paid'
            },
          }),
        ],
      })
    const payers = ['x', 'y'].map(payer)
    let called = 0
    const both = defineTool({
      name: 'both',
      description: 'Both.',
      input: { type: 'object' },
      async execute(_input, { delegate }) {
        called += 1
        const results = await Promise.all(payers.map(async agent => delegate?.({ agent, input: 'pay' })))
        return results.map(result => (result?.status === 'completed' ? result.text : 'none')).join(' ')
      },
    })
    const model = scriptedModel((_request, index) => (index === 0 ? { toolCalls: [{ name: 'both' }] } : 'Done.'))
    const lead = defineAgent({ name: 'a0', model, tools: [both] })
    const runtimeOn = (store: Store) => createRuntime({ agents: [lead], store, clock: chain.clock })
    return { runtimeOn, paid, calls: () => called }
  }

  it('several child runs of one call are suspended together, each request is decided once in any order, and attempts count on', async () => {
    const store = createMemoryStore()
    const { runtimeOn, paid, calls } = setUpPair()
    const first = await runtimeOn(store).run('a0', 'go').result
    if (first.status !== 'suspended') throw new Error(first.status)
    expect(first.approvals.map(({ input }) => input)).toEqual([{ name: 'x' }, { name: 'y' }])
    const [x, y] = first.approvals.map(({ approvalId }) => approvalId)
    const second = await (await runtimeOn(store).decide(first.runId, y ?? '', { decision: YES })).result
    expect(second).toMatchObject({ status: 'suspended', approvals: [{ approvalId: x }] })
    expect(paid).toEqual([{ name: 'y' }])
    await expect(runtimeOn(store).decide(first.runId, y ?? '', { decision: YES })).rejects.toThrow(
      'has already been decided',
    )
    const third = await (await runtimeOn(store).decide(first.runId, x ?? '', { decision: YES })).result
    expect(resultsIn(third.messages)).toEqual(['x paid. y paid.'])
    expect(paid).toEqual([{ name: 'y' }, { name: 'x' }])
    expect(calls()).toBe(3)
    const starts = (await store.read(first.runId)).flatMap(entry =>
      entry.type === 'tool.started' ? [entry.attempt] : [],
    )
    expect(starts).toEqual([1, 2, 3])
    expect(await store.runs({ scope: 'default' })).toHaveLength(3)
  })

  it('a request that is decided while the call works for another child run stays decided', async () => {
    const store = createMemoryStore()
    const { runtimeOn, paid } = setUpPair(async name => {
      if (name === 'y') await runtime.decide(runId, x ?? '', { decision: YES })
    })
    const runtime = runtimeOn(store)
    const first = await runtime.run('a0', 'go').result
    if (first.status !== 'suspended') throw new Error(first.status)
    const { runId } = first
    const [x, y] = first.approvals.map(({ approvalId }) => approvalId)
    const last = await (await runtime.decide(runId, y ?? '', { decision: YES })).result
    expect(last.status).toBe('completed')
    expect(resultsIn(last.messages)).toEqual(['x paid. y paid.'])
    expect(paid).toEqual([{ name: 'y' }, { name: 'x' }])
  })
})

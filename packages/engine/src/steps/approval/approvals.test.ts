import { defineMiddleware, defineTool, toolAsk, type ApprovalDecision, type Permission, type Store } from '@parley/core'
import { fakeClock, scriptedModel, type Script } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '@parley/memory-store'
import { createRuntime, defineAgent, type Agent, type RunOptions } from '../../index.ts'
import { isValidTranscript } from '../../journal.ts'

const PAY = { toolCalls: [{ name: 'pay', input: { amount: 5 } }] }

/** An agent with a tool that pays, and a list of the payments. */
function setup(permission: Permission, { script = [PAY, 'Done.'] as Script, agent = {} as Partial<Agent> } = {}) {
  const paid: unknown[] = []
  const clock = fakeClock()
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    input: { type: 'object', properties: { amount: { type: 'integer' } }, required: ['amount'] },
    permission,
    execute: input => {
      paid.push(input)
      return 'paid'
    },
  })
  const model = scriptedModel(script)
  const agents = [defineAgent({ name: 'a', model, tools: [pay], ...agent })]
  const runtimeOn = (store?: Store) => createRuntime({ agents, clock, store })
  return { clock, model, paid, runtimeOn }
}

/** Runs until the call is suspended for approval. */
async function suspended(given: ReturnType<typeof setup>, store: Store, options: RunOptions = {}) {
  const result = await given.runtimeOn(store).run('a', 'go', options).result
  if (result.status !== 'suspended') throw new Error(`the run is ${result.status}`)
  const [request] = result.approvals
  if (request === undefined) throw new Error('nothing waits')
  return { runId: result.runId, request }
}

function told({ model }: ReturnType<typeof setup>): string {
  const last = model.requests.at(-1)?.messages.findLast(message => message.role === 'tool')
  return last?.role === 'tool' ? JSON.stringify(last.content) : ''
}

describe('a call that needs approval', () => {
  it('a call that needs approval suspends the run in the store and shows its input', async () => {
    const given = setup('ask')
    const store = createMemoryStore()
    const { runId, request } = await suspended(given, store)
    expect(request).toMatchObject({ name: 'pay', input: { amount: 5 }, prompt: `Run 'pay' with {"amount":5}?` })
    expect(given.paid).toEqual([])
    expect((await store.run(runId))?.status).toBe('suspended')
    expect((await store.read(runId)).at(-1)).toMatchObject({ type: 'run.suspended', approvals: [request] })
  })

  it.each<[string, { decision: ApprovalDecision; paid: unknown[]; words: string }]>([
    [
      'an approved call runs once with the input that was shown',
      { decision: { type: 'approved' }, paid: [{ amount: 5 }], words: 'paid' },
    ],
    [
      'a rejected call does not run, and the model receives the reason',
      { decision: { type: 'rejected', reason: 'too much.' }, paid: [], words: 'too much.' },
    ],
    [
      'a modified call runs once with the new input',
      { decision: { type: 'modified', input: { amount: 1 } }, paid: [{ amount: 1 }], words: 'paid' },
    ],
    [
      'a modified input is validated again',
      { decision: { type: 'modified', input: { amount: 'x' } }, paid: [], words: 'do not fit its schema' },
    ],
    [
      'a timed-out call does not run',
      { decision: { type: 'timed-out' }, paid: [], words: 'no approver decided in time' },
    ],
  ])('%s, when decided in another process', async (_, { decision, paid, words }) => {
    const given = setup('ask')
    const store = createMemoryStore()
    const { runId, request } = await suspended(given, store)
    const run = await given.runtimeOn(store).decide(runId, request.approvalId, { decision })
    const result = await run.result
    expect(result).toMatchObject({ status: 'completed', text: 'Done.' })
    expect(given.paid).toEqual(paid)
    expect(told(given)).toContain(words)
    expect(isValidTranscript(result.messages)).toBe(true)
  })

  it('a modified call is asked again when its handler asks about the new input', async () => {
    const paid: unknown[] = []
    const pay = defineTool({
      name: 'pay',
      description: 'Pays.',
      input: { type: 'object' },
      execute: (input: unknown) => {
        const { amount } = input as { amount: number }
        if (amount > 3) return toolAsk(`Pay ${amount}?`)
        paid.push(input)
        return 'paid'
      },
    })
    const given = setup('allow', { agent: { tools: [pay] } })
    const store = createMemoryStore()
    const first = await suspended(given, store)
    const decide = async (approvalId: string, amount: number) =>
      (
        await given
          .runtimeOn(store)
          .decide(first.runId, approvalId, { decision: { type: 'modified', input: { amount } } })
      ).result
    const again = await decide(first.request.approvalId, 4)
    if (again.status !== 'suspended') throw new Error(again.status)
    expect(again.approvals).toMatchObject([{ input: { amount: 4 }, prompt: 'Pay 4?' }])
    expect(await decide(again.approvals[0]?.approvalId ?? '', 2)).toMatchObject({ status: 'completed' })
    expect(paid).toEqual([{ amount: 2 }])
  })

  it('time spent suspended does not count against the duration limit', async () => {
    const given = setup('ask', { script: [PAY, { hang: true }], agent: { limits: { maxDurationMs: 10_000 } } })
    const store = createMemoryStore()
    await given.clock.advance(4_000)
    const { runId, request } = await suspended(given, store)
    await given.clock.advance(86_400_000)
    const run = await given.runtimeOn(store).decide(runId, request.approvalId, { decision: { type: 'approved' } })
    await given.clock.advance(9_999)
    expect(given.paid).toHaveLength(1)
    await given.clock.advance(1)
    expect(await run.result).toMatchObject({ status: 'limit', hit: { limit: 'duration', value: 10_000 } })
  })

  it('an escalated request is asked again, and only the named role may decide it', async () => {
    const given = setup('ask')
    const store = createMemoryStore()
    const first = await suspended(given, store)
    const decision: ApprovalDecision = { type: 'escalated', roles: ['boss'] }
    const again = await (
      await given.runtimeOn(store).decide(first.runId, first.request.approvalId, { decision })
    ).result
    if (again.status !== 'suspended') throw new Error(again.status)
    const approvalId = again.approvals[0]?.approvalId ?? ''
    expect(approvalId).not.toBe(first.request.approvalId)
    const approve = (by?: { id: string; roles: string[] }) =>
      given.runtimeOn(store).decide(first.runId, approvalId, { decision: { type: 'approved' }, by })
    await expect(approve()).rejects.toThrow('requires one of these roles: boss')
    await expect(approve({ id: 'eve', roles: ['clerk'] })).rejects.toThrow('requires one of these roles')
    expect(given.paid).toEqual([])
    await (
      await approve({ id: 'ann', roles: ['boss'] })
    ).result
    expect(given.paid).toEqual([{ amount: 5 }])
  })

  it('decide rejects a second decision and an unknown approval id', async () => {
    const given = setup('ask')
    const store = createMemoryStore()
    const { runId, request } = await suspended(given, store)
    const decision: ApprovalDecision = { type: 'approved' }
    await expect(given.runtimeOn(store).decide(runId, 'nope', { decision })).rejects.toThrow('has no pending approval')
    const both = await Promise.allSettled(
      [1, 2].map(async () => (await given.runtimeOn(store).decide(runId, request.approvalId, { decision })).result),
    )
    expect(given.paid).toEqual([{ amount: 5 }])
    expect(both.filter(one => one.status === 'fulfilled' && one.value.status === 'completed')).toHaveLength(1)
    await expect(given.runtimeOn(store).decide(runId, request.approvalId, { decision })).rejects.toThrow(
      'has already ended',
    )
  })

  it('a decision counts once while another call of the same answer is still pending', async () => {
    const given = setup('ask', {
      script: [{ toolCalls: [...PAY.toolCalls, { name: 'pay', input: { amount: 6 } }] }, 'Done.'],
    })
    const store = createMemoryStore()
    const { runId, request } = await suspended(given, store)
    const approve = async () =>
      (await given.runtimeOn(store).decide(runId, request.approvalId, { decision: { type: 'approved' } })).result
    expect(await approve()).toMatchObject({ status: 'suspended', approvals: [{ input: { amount: 6 } }] })
    await expect(approve()).rejects.toThrow('has already been decided')
    expect(given.paid).toEqual([{ amount: 5 }])
  })

  it('an approved call is asked again when a middleware changes its input', async () => {
    let amount = 5
    const drift = defineMiddleware('drift', () => ({ tool: (call, next) => next({ ...call, input: { amount } }) }))
    const given = setup('ask', { agent: { middleware: [drift] } })
    const store = createMemoryStore()
    const { runId, request } = await suspended(given, store)
    amount = 500
    const decision: ApprovalDecision = { type: 'approved' }
    const result = await (await given.runtimeOn(store).decide(runId, request.approvalId, { decision })).result
    expect(result).toMatchObject({ status: 'suspended', approvals: [{ input: { amount: 500 } }] })
    expect(given.paid).toEqual([])
  })

  it('a suspended call stays suspended after the process has released the run', async () => {
    const given = setup('ask')
    const store = createMemoryStore()
    const run = given.runtimeOn(store).run('a', 'go')
    const result = await run.result
    await run[Symbol.asyncDispose]()
    await expect(run.steer('hurry')).rejects.toThrow('has already ended')
    const approvalId = result.status === 'suspended' ? (result.approvals[0]?.approvalId ?? '') : ''
    const decided = await given.runtimeOn(store).decide(run.runId, approvalId, { decision: { type: 'approved' } })
    expect((await decided.result).status).toBe('completed')
    expect(given.paid).toEqual([{ amount: 5 }])
  })

  it('the other calls of an answer run while one call is suspended for approval', async () => {
    const free = defineTool({
      name: 'free',
      description: 'Free.',
      input: { type: 'object' },
      execute: () => 'free result',
    })
    const given = setup('ask', {
      script: [{ toolCalls: [PAY.toolCalls[0] ?? { name: '' }, { name: 'free' }] }, 'Done.'],
    })
    const [agent] = [defineAgent({ name: 'a', model: given.model, tools: [free, ...toolsOf(given)] })]
    const store = createMemoryStore()
    const runtime = createRuntime({ agents: [agent], store })
    const result = await runtime.run('a', 'go').result
    expect(result.status).toBe('suspended')
    expect((await store.read(result.runId)).some(entry => entry.type === 'tool.ended' && entry.name === 'free')).toBe(
      true,
    )
  })

  it('a call that needs approval is rejected without a store and without a handler', async () => {
    const given = setup('ask')
    expect(await given.runtimeOn().run('a', 'go').result).toMatchObject({ status: 'completed' })
    expect(given.paid).toEqual([])
    expect(told(given)).toContain('neither an approval handler nor a store')
  })

  it('cancelling a suspended run ends its pending call', async () => {
    const given = setup('ask', { agent: { onApproval: () => new Promise(() => {}) } })
    const run = given.runtimeOn().run('a', 'go')
    for await (const event of run) if (event.type === 'approval.requested') void run.cancel()
    const result = await run.result
    expect(result.status).toBe('cancelled')
    expect(isValidTranscript(result.messages)).toBe(true)
    expect(given.paid).toEqual([])
  })

  it('a suspended run keeps its session busy until the decision', async () => {
    const given = setup('ask')
    const store = createMemoryStore()
    await suspended(given, store, { sessionId: 's' })
    expect(await given.runtimeOn(store).run('a', 'more', { sessionId: 's' }).result).toMatchObject({
      status: 'failed',
      error: { code: 'session-busy' },
    })
  })
})

/** The tools of the agent of a setup, for another agent. */
function toolsOf({ paid }: ReturnType<typeof setup>) {
  return [
    defineTool({
      name: 'pay',
      description: 'Pays.',
      input: { type: 'object' },
      permission: 'ask',
      execute: input => paid.push(input),
    }),
  ]
}

describe('an approval handler', () => {
  it('an approval handler decides in this process without a store', async () => {
    const given = setup('ask', {
      agent: { onApproval: ({ name }) => ({ type: name === 'pay' ? 'approved' : 'timed-out' }) },
    })
    expect(await given.runtimeOn().run('a', 'go').result).toMatchObject({ status: 'completed' })
    expect(given.paid).toEqual([{ amount: 5 }])
  })

  it('an approval handler that throws rejects the call', async () => {
    const onApproval = () => Promise.reject(new Error('mail is down'))
    const given = setup('ask', { agent: { onApproval } })
    const run = given.runtimeOn().run('a', 'go')
    const events = []
    for await (const event of run) events.push(event)
    expect(given.paid).toEqual([])
    expect(told(given)).toContain('the approval handler failed.')
    expect(told(given)).not.toContain('mail is down')
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'middleware.failed', middleware: 'onApproval', detail: 'mail is down' }),
    )
  })

  it('an approval handler that escalates is asked once for each set of roles, and then the run is suspended', async () => {
    const asked: (readonly string[] | undefined)[] = []
    const onApproval: Agent['onApproval'] = ({ roles }) => {
      asked.push(roles)
      return { type: 'escalated', roles: ['boss'] }
    }
    const given = setup('ask', { agent: { onApproval } })
    const { request } = await suspended(given, createMemoryStore())
    expect(asked).toEqual([undefined, ['boss']])
    expect(request.roles).toEqual(['boss'])

    const alone = setup('ask', { agent: { onApproval } })
    expect(await alone.runtimeOn().run('a', 'go').result).toMatchObject({ status: 'completed' })
    expect(told(alone)).toContain('roles that were asked before')
    expect([given.paid, alone.paid]).toEqual([[], []])
  })

  it('an approval handler has until the request expires, and then its signal is aborted', async () => {
    let aborted = false
    const onApproval: Agent['onApproval'] = (_, { signal }) => {
      signal.addEventListener('abort', () => (aborted = true))
      return new Promise(() => {})
    }
    const given = setup({ effect: 'ask', expiresInMs: 1_000 }, { agent: { onApproval } })
    const run = given.runtimeOn().run('a', 'go')
    await given.clock.advance(1_000)
    expect(await run.result).toMatchObject({ status: 'completed' })
    expect(aborted).toBe(true)
    expect(told(given)).toContain('no approver decided in time')
    expect(given.clock.pending).toBe(0)
  })
})

describe('time', () => {
  it('a suspended call times out without a resume, and the run continues', async () => {
    const given = setup({ effect: 'ask', expiresInMs: 60_000 })
    const store = createMemoryStore()
    const runtime = given.runtimeOn(store)
    const { runId } = await runtime.run('a', 'go').result
    expect((await store.run(runId))?.status).toBe('suspended')
    await given.clock.advance(60_000)
    expect((await store.run(runId))?.status).toBe('completed')
    expect(given.paid).toEqual([])
    expect(told(given)).toContain('no approver decided in time')
    await runtime.close()
  })
})

describe('permission', () => {
  it.each<[string, Permission, unknown[]]>([
    ['allow', 'allow', [{ amount: 5 }]],
    ['deny', 'deny', []],
    ['a role the principal has', { effect: 'allow', roles: ['payer'] }, [{ amount: 5 }]],
    ['a role the principal lacks', { effect: 'allow', roles: ['boss'] }, []],
    [
      'a condition that allows',
      input => ((input as { amount: number }).amount < 10 ? 'allow' : 'deny'),
      [{ amount: 5 }],
    ],
    ['a condition that denies', input => ((input as { amount: number }).amount < 2 ? 'allow' : 'deny'), []],
    [
      'a condition that breaks',
      () => {
        throw new Error('no rule')
      },
      [],
    ],
  ])('the permission by %s is enforced', async (_, permission, paid) => {
    const given = setup(permission)
    const principal = { id: 'ann', roles: ['payer'] }
    expect(await given.runtimeOn().run('a', 'go', { principal }).result).toMatchObject({ status: 'completed' })
    expect(given.paid).toEqual(paid)
  })

  it('a permission by role denies a run without a principal', async () => {
    const given = setup({ effect: 'allow', roles: ['payer'] })
    await given.runtimeOn().run('a', 'go').result
    expect(given.paid).toEqual([])
    expect(told(given)).toContain('it needs one of these roles: payer.')
  })

  it('a handler that asks permission with toolAsk is called again after the approval', async () => {
    const seen: unknown[] = []
    const careful = defineTool({
      name: 'pay',
      description: 'Pays.',
      input: { type: 'object' },
      execute: (_, { approved }) => {
        seen.push(approved)
        return approved === true ? 'paid' : toolAsk('Really?', { roles: ['boss'] })
      },
    })
    const given = setup('allow', { agent: { tools: [careful] } })
    const store = createMemoryStore()
    const { runId, request } = await suspended(given, store)
    expect(request).toMatchObject({ prompt: 'Really?', roles: ['boss'], input: { amount: 5 } })
    const by = { id: 'ann', roles: ['boss'] }
    const run = await given.runtimeOn(store).decide(runId, request.approvalId, { decision: { type: 'approved' }, by })
    expect(await run.result).toMatchObject({ status: 'completed' })
    expect(seen).toEqual([false, true])
  })
})

import { defineTool, ParleyError, type DelegateRequest, type Store, type Tool, type ToolContext } from '@parley/core'
import { scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import type { CallUpdate, ChildOrder, DurableHost, PendingCall } from '../host.ts'
import { agentTool, createRuntime, defineAgent, type Agent, type Runtime } from '../index.ts'
import { loadRun } from '../journal.ts'
import { createMemoryStore } from '@parley/memory-store'

const HELP = { toolCalls: [{ name: 'help', input: { task: 'look' } }] }
const PRICES = { pricing: { input: 1_000_000, output: 1_000_000, source: 'here', date: '2026-01-01' } }

function runtimeOn(store: Store, lead: Partial<Agent> = {}, helper: Partial<Agent> = {}): Runtime {
  const agents = [
    defineAgent({ name: 'helper', model: scriptedModel(['Found.'], { info: PRICES }), ...helper }),
    defineAgent({
      name: 'lead',
      model: scriptedModel(({ messages }) => (messages.length === 1 ? HELP : 'Done.')),
      tools: [agentTool('helper', { name: 'help' })],
      ...lead,
    }),
  ]
  return createRuntime({ agents, store })
}

/** Runs calls and passes what they leave pending to `work`. Then it runs them again with the update. */
function hostWith(work: (pending: PendingCall) => Promise<CallUpdate>): DurableHost {
  return {
    runsChildren: true,
    async drive(steps) {
      for (;;) {
        for (const { callId } of steps.openCalls()?.flat() ?? []) {
          let left = await steps.call(callId)
          while (left !== undefined) left = await steps.call(callId, await work(left))
        }
        const ending = await steps.take()
        await steps.commit()
        if (ending !== undefined) return ending
      }
    },
  }
}

/** Another process runs the ordered child runs. */
async function elsewhere(runtime: Runtime, { children }: PendingCall): Promise<CallUpdate> {
  for (const { agent, input, ...order } of children) await runtime.run(agent, input, order).result
  return {}
}

describe('a child run that a host starts', () => {
  it('a child run is handed to the host as plain data within the parent’s remaining limits, and its outcome is the result of the call', async () => {
    const store = createMemoryStore()
    const other = runtimeOn(store)
    const orders: ChildOrder[] = []
    const lead = runtimeOn(store, { limits: { maxTokens: 5_000, maxDurationMs: 60_000 } }, { limits: { maxTurns: 3 } })
    const host = hostWith(left => {
      orders.push(...left.children)
      return elsewhere(other, left)
    })
    const result = await lead.run('lead', 'go', {
      runId: 'r',
      variables: {},
      workspace: 'a',
      context: { user: 'u' },
      host,
    }).result
    expect(result).toMatchObject({ status: 'completed', text: 'Done.' })
    expect(JSON.parse(JSON.stringify(orders))).toEqual([
      {
        runId: expect.any(String),
        agent: 'helper',
        input: 'look',
        sessionId: expect.any(String),
        scope: 'default',
        workspace: 'a',
        context: { user: 'u' },
        parent: { runId: 'r', callId: expect.any(String), path: [], limits: expect.any(Object) },
      },
    ])
    const { maxTurns, maxTokens = 0, maxDurationMs = 0 } = orders[0]?.parent.limits ?? {}
    expect(maxTurns).toBe(3)
    expect(maxTokens).toBeLessThan(5_000)
    expect(maxDurationMs).toBeLessThanOrEqual(60_000)
    const [child] = orders
    const inner = await store.read(child?.runId ?? '')
    expect(inner[0]).toMatchObject({ relation: 'sub-agent', parent: { runId: 'r', callId: child?.parent.callId } })
    const ended = (await store.read('r')).find(entry => entry.type === 'agent.ended')
    expect(ended).toMatchObject({ outcome: { status: 'completed' }, text: 'Found.', turns: 1 })
    expect(result.usage).toEqual((await loadRun(store, 'r')).usage)
    expect(result.cost?.usd).toBeGreaterThanOrEqual(ended?.cost?.usd ?? Infinity)
  })

  it('a child run that a host starts keeps the limits of its order', async () => {
    const store = createMemoryStore()
    const other = runtimeOn(store, {}, { model: scriptedModel(() => ({ toolCalls: [{ name: 'nothing' }] })) })
    const host = hostWith(left => elsewhere(other, left))
    const help = agentTool('helper', { name: 'help', limits: { maxTurns: 2 } })
    await runtimeOn(store, { tools: [help] }).run('lead', 'go', { runId: 'r', host }).result
    expect((await store.read('r')).find(entry => entry.type === 'agent.ended')).toMatchObject({
      outcome: { status: 'limit', hit: { limit: 'turns', max: 2 } },
    })
  })

  it('a child run stays inside its tool call if the agent has no name in the runtime, or the handler must not run twice', async () => {
    const helper = defineAgent({ name: 'whole', model: scriptedModel(['Found.']) })
    const delegating = (effect: Tool['effect'], request: Partial<DelegateRequest>) =>
      defineTool({
        name: 'help',
        description: 'Helps.',
        input: { type: 'object' },
        effect,
        async execute(_: unknown, { delegate }: ToolContext) {
          const result = await delegate?.({ agent: 'helper', input: 'look', ...request })
          return result?.status === 'completed' ? result.text : result?.status
        },
      })
    const stays: readonly Tool[] = [
      agentTool(helper, { name: 'help' }),
      delegating('once', {}),
      delegating('idempotent', { signal: new AbortController().signal }),
    ]
    let left = 0
    const host = (other: Runtime) =>
      hostWith(given => {
        left += 1
        return elsewhere(other, given)
      })
    for (const help of stays) {
      const runtime = runtimeOn(createMemoryStore(), { tools: [help] })
      expect(await runtime.run('lead', 'go', { host: host(runtime) }).result).toMatchObject({ text: 'Done.' })
    }
    expect(left).toBe(0)
    const runtime = runtimeOn(createMemoryStore(), { tools: [delegating('idempotent', {})] })
    expect(await runtime.run('lead', 'go', { host: host(runtime) }).result).toMatchObject({ text: 'Done.' })
    expect(left).toBe(1)
  })

  it('a child run that could not start or broke off counts as failed, and none stays unfinished', async () => {
    const store = createMemoryStore()
    const broken: string[] = []
    const host = hostWith(async ({ children: [child] }) => {
      broken.push(child?.runId ?? '')
      return { broken: [{ runId: child?.runId ?? '', error: { code: 'runtime-closed' } }] }
    })
    await runtimeOn(store).run('lead', 'go', { runId: 'r', host }).result
    expect((await store.read('r')).find(entry => entry.type === 'agent.ended')).toMatchObject({
      outcome: { status: 'failed', error: { code: 'runtime-closed' } },
    })
    const halfway = hostWith(async ({ children: [child] }) => {
      if (child === undefined) return {}
      const { agent, input, runId, ...order } = child
      broken.push(runId)
      const dies: DurableHost = {
        async drive(steps) {
          await steps.commit()
          throw new ParleyError({ code: 'runtime-closed' })
        },
      }
      await runtimeOn(store).run(agent, input, { ...order, runId, host: dies }).result
      return { broken: [{ runId, error: { code: 'runtime-closed' } }] }
    })
    expect((await runtimeOn(store).run('lead', 'go', { runId: 'r2', host: halfway }).result).status).toBe('completed')
    expect((await store.run(broken[1] ?? ''))?.status).toBe('cancelled')
  })

  it('a child run whose call timed out returns the timeout as the result', async () => {
    const store = createMemoryStore()
    const other = runtimeOn(store)
    const given: (number | undefined)[] = []
    const host = hostWith(async left => {
      given.push(left.timeoutMs)
      return { ...(await elsewhere(other, left)), timedOut: true }
    })
    const help = agentTool('helper', { name: 'help', timeoutMs: 700 })
    await runtimeOn(store, { tools: [help] }).run('lead', 'go', { runId: 'r', host }).result
    expect(given).toEqual([700])
    const entries = await store.read('r')
    expect(entries.find(entry => entry.type === 'tool.ended')).toMatchObject({
      error: { code: 'tool-timeout', ms: 700 },
    })
    expect(entries.find(entry => entry.type === 'agent.ended')).toMatchObject({ outcome: { status: 'completed' } })
  })

  it('a suspended child run suspends its parent run, which passes the decision on', async () => {
    const store = createMemoryStore()
    const pay = defineTool({
      name: 'pay',
      description: 'Pays.',
      input: { type: 'object' },
      permission: 'ask',
      execute: () => 'paid',
    })
    const asks: Partial<Agent> = {
      tools: [pay],
      model: scriptedModel(({ messages }) => (messages.length === 1 ? { toolCalls: [{ name: 'pay' }] } : 'Paid.')),
    }
    const orders: ChildOrder[] = []
    const other = runtimeOn(store, {}, asks)
    const untilAsked: DurableHost = {
      runsChildren: true,
      async drive(steps) {
        await steps.take()
        const [[call] = []] = steps.openCalls() ?? []
        orders.push(...((await steps.call(call?.callId ?? ''))?.children ?? []))
        expect(steps.isWaiting).toBe(false)
        for (const { agent, input, ...order } of orders) await other.run(agent, input, order).result
        // A repeated childSuspended changes nothing.
        for (const { runId } of [...orders, ...orders]) await steps.childSuspended(runId)
        await steps.childSuspended('unknown')
        expect(steps.isWaiting).toBe(true)
        return (await steps.take()) ?? expect.unreachable()
      },
    }
    const suspended = await runtimeOn(store).run('lead', 'go', { runId: 'r', host: untilAsked }).result
    const [child] = orders
    expect(suspended).toMatchObject({ status: 'suspended', approvals: [{ name: 'pay', runId: child?.runId }] })
    expect((await store.read('r')).filter(({ type }) => type === 'agent.suspended')).toHaveLength(1)
    const { approvals } = suspended.status === 'suspended' ? suspended : { approvals: [] }
    const approvalId = approvals[0]?.approvalId ?? ''
    const pass: DurableHost = hostWith(async () => ({}))
    const passing: DurableHost = {
      ...pass,
      async drive(steps) {
        await steps.commit()
        const decisions = (await loadRun(store, 'r')).calls?.flatMap(
          ({ children = [] }) => children[0]?.decisions ?? [],
        )
        expect(decisions).toMatchObject([{ approvalId, decision: { type: 'approved' } }])
        const parent = child?.parent
        const told = await other.decide(child?.runId ?? '', approvalId, { decision: { type: 'approved' }, parent })
        expect(await told.result).toMatchObject({ runId: child?.runId, text: 'Paid.' })
        return pass.drive(steps)
      },
    }
    const run = await runtimeOn(store).decide('r', approvalId, { decision: { type: 'approved' }, host: passing })
    expect(await run.result).toMatchObject({ runId: 'r', status: 'completed', text: 'Done.' })
  })
})

import { defineMiddleware, defineTool, type Entry } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { isValidTranscript } from '@parley/engine/journal'
import { createMemoryStore } from '@parley/memory-store'
import { fakeClock, scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { assistant, eventsOf } from './__fixtures__/assistant.ts'

const paying = { toolCalls: [{ name: 'pay', input: { cents: 5 } }] }

/** A tool that requires the approval of a boss, and the inputs it was called with. */
function payTool() {
  const paid: unknown[] = []
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    input: { type: 'object', properties: { cents: { type: 'integer' } } },
    permission: { effect: 'ask', roles: ['boss'], expiresInMs: 60_000 },
    execute: input => {
      paid.push(input)
      return 'paid'
    },
  })
  return { pay, paid }
}
const boss = { id: 'b', roles: ['boss'] }

async function waitingForBoss(script = [paying, 'Done.'], clock = fakeClock()) {
  const { pay, paid } = payTool()
  const given = assistant(script, { tools: [pay] }, { clock })
  const result = await given.run().result
  const approvalId = result.status === 'suspended' ? (result.approvals[0]?.approvalId ?? '') : ''
  return { ...given, paid, pay, clock, runId: result.runId, approvalId }
}

describe('9: an approval', () => {
  it('9a: an approved tool call runs once, with the stored arguments', async () => {
    const { runtime, runId, approvalId, paid } = await waitingForBoss()
    const run = await runtime.decide(runId, approvalId, { decision: { type: 'approved' }, by: boss })
    expect(await run.result).toMatchObject({ status: 'completed', text: 'Done.' })
    expect(paid).toEqual([{ cents: 5 }])
    await expect(runtime.decide(runId, approvalId, { decision: { type: 'approved' }, by: boss })).rejects.toThrow(
      'already ended',
    )
  })

  it('9b: an approved tool call does not run twice if the process dies before or after its start', async () => {
    const { runtime, store, runId, approvalId, paid, pay } = await waitingForBoss()
    await (
      await runtime.decide(runId, approvalId, { decision: { type: 'approved' }, by: boss })
    ).result
    const entries = await store.read(runId)
    const started = entries.findIndex(({ type }) => type === 'tool.started')
    for (const length of [started, started + 1]) {
      paid.length = 0
      const again = await resumeFrom(entries.slice(0, length), pay)
      expect(isValidTranscript(again.messages)).toBe(true)
      // Before the entry, the call has not run. After the entry, it is possible that it ran, so it is not repeated.
      expect(paid).toHaveLength(length === started ? 1 : 0)
    }
  })

  it('9c: a rejected tool call leaves a valid transcript', async () => {
    const { runtime, runId, approvalId, paid } = await waitingForBoss()
    const run = await runtime.decide(runId, approvalId, { decision: { type: 'rejected', reason: 'no.' }, by: boss })
    const { status, messages } = await run.result
    expect([status, isValidTranscript(messages), paid]).toEqual(['completed', true, []])
  })

  it('9d: the runtime accepts a decision only from a user with the role', async () => {
    const { runtime, runId, approvalId, paid } = await waitingForBoss()
    const decision = { type: 'approved' } as const
    await expect(runtime.decide(runId, approvalId, { decision })).rejects.toThrow('requires one of these roles: boss')
    await expect(runtime.decide(runId, approvalId, { decision, by: { id: 'x', roles: ['clerk'] } })).rejects.toThrow(
      'boss',
    )
    expect(paid).toEqual([])
  })

  it('9e: an approval times out although no process polls the run', async () => {
    const { clock, store, runId, paid } = await waitingForBoss()
    await clock.advance(60_001)
    const entries = await store.read(runId)
    expect(entries.find(({ type }) => type === 'approval.decided')).toMatchObject({ decision: { type: 'timed-out' } })
    expect(entries.at(-1)?.type).toBe('run.ended')
    expect(paid).toEqual([])
  })
})

/** Resumes a run from the first entries of its journal, as a new process would. */
async function resumeFrom(entries: readonly Entry[], pay: ReturnType<typeof payTool>['pay']) {
  const store = createMemoryStore()
  await store.append({ runId: 'r', expectedSeq: 0, worker: 'gone', fence: 1, entries })
  const agent = defineAgent({ name: 'a', model: scriptedModel(() => 'Done.'), tools: [pay] })
  const runtime = createRuntime({ agents: [agent], store, isWorkerGone: () => true })
  return (await runtime.resume('r')).result
}

it('10: the engine applies deny, ask, roles and conditions of permissions before it calls a handler', async () => {
  const ran: string[] = []
  const tool = (name: string, permission: Parameters<typeof defineTool>[0]['permission']) =>
    defineTool({ name, description: 'd', input: { type: 'object' }, permission, execute: () => (ran.push(name), 'ok') })
  const tools = [
    tool('denied', 'deny'),
    tool('asking', 'ask'),
    tool('for-boss', { effect: 'allow', roles: ['boss'] }),
    tool('small-only', input => ((input as { n: number }).n < 10 ? 'allow' : 'deny')),
  ]
  const calls = [
    { name: 'denied' },
    { name: 'for-boss' },
    { name: 'small-only', input: { n: 5 } },
    { name: 'small-only', input: { n: 50 } },
    { name: 'asking' },
  ]
  const { runtime } = assistant([{ toolCalls: calls }, 'Done.'], { tools })
  const plain = await runtime.run('a', 'go').result
  expect([plain.status, ran]).toEqual(['suspended', ['small-only']])
  ran.length = 0
  const again = assistant([{ toolCalls: calls.slice(0, 3) }, 'Done.'], { tools })
  await again.runtime.run('a', 'go', { principal: { id: 'b', roles: ['boss'] } }).result
  expect(ran).toEqual(['for-boss', 'small-only'])
})

it('11: the engine validates input that a middleware has rewritten and passes it to the handler', async () => {
  const rewrite = (input: unknown) =>
    defineMiddleware('rewrite', () => ({ tool: (call, next) => next({ ...call, input }) }))
  const call = { toolCalls: [{ name: 'add', input: { a: 1, b: 1 } }] }
  const good = assistant([call, 'x'], { middleware: [rewrite({ a: 40, b: 2 })] })
  await good.run().result
  expect(good.sent(1).at(-1)).toBe('42')
  const bad = assistant([call, 'x'], { middleware: [rewrite({ a: 'forty' })] })
  await bad.run().result
  expect(bad.sent(1).at(-1)).toContain('do not fit its schema')
})

it('12: middleware runs after a tool call in the reverse order of before it', async () => {
  const order: string[] = []
  const around = (name: string) =>
    defineMiddleware(name, () => ({
      async tool(call, next) {
        order.push(`${name} before`)
        const outcome = await next(call)
        order.push(`${name} after`)
        return outcome
      },
    }))
  const { run } = assistant([{ toolCalls: [{ name: 'add', input: { a: 1 } }] }, 'x'], {
    middleware: [around('a'), around('b')],
  })
  await run().result
  expect(order).toEqual(['a before', 'b before', 'b after', 'a after'])
})

it('14: a batch of twenty calls keeps to the concurrency of the tool', async () => {
  let now = 0
  let most = 0
  const busy = defineTool({
    name: 'busy',
    description: 'd',
    input: { type: 'object' },
    concurrency: 3,
    async execute() {
      most = Math.max(most, ++now)
      await new Promise(resolve => setImmediate(resolve))
      now--
      return 'ok'
    },
  })
  const { run } = assistant([{ toolCalls: Array.from({ length: 20 }, () => ({ name: 'busy' })) }, 'x'], {
    tools: [busy],
  })
  expect((await eventsOf(run())).filter(({ type }) => type === 'tool.ended')).toHaveLength(20)
  expect(most).toBe(3)
})

it('15: a tool call can omit optional fields of the schema', async () => {
  const { run, sent } = assistant([{ toolCalls: [{ name: 'add', input: { a: 1 } }] }, 'x'])
  await run().result
  expect(sent(1).at(-1)).toBe('2')
})

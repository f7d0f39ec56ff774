import { defineMiddleware, defineTool, toolAsk, type ToolContext } from '@parley/core'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { agentTool, createRuntime, defineAgent, type Agent } from '../index.ts'

interface Who {
  readonly userId: string
}

const WORK = { toolCalls: [{ name: 'who' }] }

/** An agent whose tool and middleware record the context, an agent that calls it, and one that hands over to it. */
function setup() {
  const seen: unknown[] = []
  const inMiddleware: unknown[] = []
  const who = defineTool({
    name: 'who',
    description: 'Notes who asks.',
    input: { type: 'object' },
    effect: 'read',
    execute: (_, { run, approved }: ToolContext<Who>) => {
      if (run.context.userId === 'careful' && approved !== true) return toolAsk('Go on?')
      seen.push(run.context)
      return 'noted'
    },
  })
  const watch = defineMiddleware('watch', run => {
    inMiddleware.push(run.context)
    return {}
  })
  const asks = (call: object) =>
    scriptedModel(({ messages }) => (messages.at(-1)?.role === 'user' ? (call as typeof WORK) : 'Done.'))
  const worker = defineAgent({ name: 'worker', description: 'd', model: asks(WORK), tools: [who], middleware: [watch] })
  const lead = defineAgent({
    name: 'lead',
    model: asks({ toolCalls: [{ name: 'worker', input: { task: 'go' } }] }),
    tools: [agentTool('worker')],
  })
  const front = defineAgent({
    name: 'front',
    model: asks({ toolCalls: [{ name: 'transfer_to_worker', input: { task: 'go' } }] }),
    handoffs: [worker],
  })
  const store = createMemoryStore()
  // The agents are named without their types, as in a server.
  const agents: readonly Agent[] = [worker, lead, front]
  const newRuntime = () => createRuntime({ store, agents })
  return { seen, inMiddleware, store, newRuntime, runtime: newRuntime() }
}

describe('the context of a run', () => {
  it('tools and middleware receive the context of their run', async () => {
    const { runtime, seen, inMiddleware } = setup()
    await runtime.run('worker', 'one', { context: { userId: 'ada' } }).result
    await runtime.run('worker', 'two', { context: { userId: 'eve' } }).result
    expect(seen).toEqual([{ userId: 'ada' }, { userId: 'eve' }])
    expect(inMiddleware).toEqual(seen)
  })

  it('a run that another process resumes after an approval has the context of its journal', async () => {
    const { runtime, newRuntime, seen, store } = setup()
    const asked = await runtime.run('worker', 'go', { context: { userId: 'careful' } }).result
    if (asked.status !== 'suspended') throw new Error(asked.status)
    expect((await store.read(asked.runId))[0]).toMatchObject({ context: { userId: 'careful' } })
    const [request] = asked.approvals
    const going = await newRuntime().decide(asked.runId, request?.approvalId ?? '', { decision: { type: 'approved' } })
    expect(await going.result).toMatchObject({ status: 'completed' })
    expect(seen).toEqual([{ userId: 'careful' }])
  })

  it('child runs have the context of their parent run, also after an approval in another process', async () => {
    const { runtime, newRuntime, seen } = setup()
    await runtime.run('lead', 'go', { context: { userId: 'ada' } }).result
    expect(seen).toEqual([{ userId: 'ada' }])
    const asked = await runtime.run('lead', 'go', { context: { userId: 'careful' } }).result
    if (asked.status !== 'suspended') throw new Error(asked.status)
    const [request] = asked.approvals
    const going = await newRuntime().decide(asked.runId, request?.approvalId ?? '', { decision: { type: 'approved' } })
    expect(await going.result).toMatchObject({ status: 'completed' })
    expect(seen).toEqual([{ userId: 'ada' }, { userId: 'careful' }])
  })

  it('an agent that the run is handed over to has the context of the run', async () => {
    const { runtime, seen } = setup()
    await runtime.run('front', 'go', { context: { userId: 'ada' } }).result
    expect(seen).toEqual([{ userId: 'ada' }])
  })

  it('forks and reruns keep the context unless they are given another', async () => {
    const { runtime, seen } = setup()
    const { runId } = await runtime.run('worker', 'one', { context: { userId: 'ada' } }).result
    await (
      await runtime.rerun(runId)
    ).result
    await (
      await runtime.fork(runId, { input: 'two', agent: 'lead' })
    ).result
    await (
      await runtime.rerun(runId, { context: { userId: 'eve' } })
    ).result
    expect(seen).toEqual(['ada', 'ada', 'ada', 'eve'].map(userId => ({ userId })))
  })

  it('a run reads a frozen copy of its context, without members that are undefined', async () => {
    const { runtime, seen } = setup()
    const context = { userId: 'ada', team: { name: 'x' }, nothing: undefined }
    const run = runtime.run('worker', 'go', { context })
    context.team.name = 'y'
    await run.result
    expect(seen).toStrictEqual([{ userId: 'ada', team: { name: 'x' } }])
    expect(Object.isFrozen(seen[0]) && Object.isFrozen((seen[0] as typeof context).team)).toBe(true)
  })

  it.each([
    [{ db: { query: () => 1 } }, 'context.db.query', 'is a function'],
    [{ since: new Date(0) }, 'context.since', 'is a Date'],
    [{ list: [new Map()] }, 'context.list[0]', 'is a Map'],
    [Number.NaN, 'context', 'is a number'],
    [{ id: 1n }, 'context', 'contains a BigInt'],
  ])('a run rejects the context %o before anything is stored', async (context, path, detail) => {
    const { runtime } = setup()
    expect(() => runtime.run('worker', 'go', { context })).toThrow(
      expect.objectContaining({
        info: expect.objectContaining({ code: 'config-invalid', path, detail: expect.stringContaining(detail) }),
      }),
    )
    expect(await runtime.runs()).toEqual([])
  })

  it('a context that contains itself is rejected, also without a store', () => {
    const context: Record<string, unknown> = {}
    context['self'] = context
    const agent = defineAgent({ name: 'a', model: scriptedModel(['x']) })
    expect(() => createRuntime().run(agent, 'go', { context })).toThrow(
      expect.objectContaining({ info: expect.objectContaining({ code: 'config-invalid', path: 'context' }) }),
    )
  })
})

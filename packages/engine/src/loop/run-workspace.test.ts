import { defineTool, toolAsk, type ToolContext } from '@parley/core'
import { scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '@parley/memory-store'
import { agentTool, createRuntime, defineAgent } from '../index.ts'

const WORK = { toolCalls: [{ name: 'where' }] }

/** An agent whose tool records its workspace, and an agent that calls it. */
function setup() {
  const seen: (string | undefined)[] = []
  const where = defineTool({
    name: 'where',
    description: 'Notes where it works.',
    input: { type: 'object' },
    effect: 'read',
    execute: (_: unknown, { run, approved }: ToolContext) => {
      if (run.principal?.id === 'careful' && approved !== true) return toolAsk('Go on?')
      seen.push(run.workspace)
      return 'noted'
    },
  })
  const working = () => scriptedModel(({ messages }) => (messages.at(-1)?.role === 'user' ? WORK : 'Done.'))
  const worker = defineAgent({ name: 'worker', description: 'd', model: working(), tools: [where] })
  const call = (name: string) => ({ toolCalls: [{ name, input: { task: 'go' } }] })
  const lead = defineAgent({
    name: 'lead',
    model: scriptedModel(({ messages }) => (messages.at(-1)?.role === 'user' ? call('worker') : 'Done.')),
    tools: [agentTool('worker')],
  })
  const store = createMemoryStore()
  const newRuntime = () => createRuntime({ store, agents: [worker, lead] })
  return { seen, store, worker, newRuntime, runtime: newRuntime() }
}

describe('the workspace of a run', () => {
  it('tools receive the workspace of their run', async () => {
    const { runtime, seen } = setup()
    await Promise.all([runtime.run('worker', 'one', { workspace: 'a' }).result, runtime.run('worker', 'two').result])
    expect(new Set(seen)).toEqual(new Set(['a', undefined]))
    expect(seen).toHaveLength(2)
  })

  it('a resumed run keeps its workspace', async () => {
    const { runtime, newRuntime, seen, store } = setup()
    const asked = await runtime.run('worker', 'go', { workspace: 'a', principal: { id: 'careful', roles: [] } }).result
    if (asked.status !== 'suspended') throw new Error(asked.status)
    expect((await store.read(asked.runId))[0]).toMatchObject({ type: 'run.started', workspace: 'a' })
    const [request] = asked.approvals
    const going = await newRuntime().decide(asked.runId, request?.approvalId ?? '', {
      decision: { type: 'approved' },
    })
    expect(await going.result).toMatchObject({ status: 'completed' })
    expect(seen).toEqual(['a'])
  })

  it('child runs have the workspace of the parent run unless they are given another', async () => {
    const { runtime, seen, worker } = setup()
    await runtime.run('lead', 'go', { workspace: 'a' }).result
    expect(seen).toEqual(['a'])

    const split = defineTool({
      name: 'split',
      description: 'd',
      input: { type: 'object' },
      execute: async (_: unknown, context: ToolContext) => {
        const branches = [undefined, 'b'].map(workspace => ({ agent: worker, input: 'go', workspace }))
        return (await Promise.all(branches.map(async branch => context.delegate?.(branch)))).length
      },
    })
    const model = scriptedModel([{ toolCalls: [{ name: 'split' }] }, 'ok'])
    await runtime.run(defineAgent({ name: 'splitter', model, tools: [split] }), 'go', { workspace: 'a' }).result
    expect(new Set(seen.slice(1))).toEqual(new Set(['a', 'b']))
    expect(seen).toHaveLength(3)
  })

  it('forks and reruns keep the workspace, also with another agent', async () => {
    const { runtime, seen } = setup()
    const { runId } = await runtime.run('worker', 'one', { workspace: 'a' }).result
    await (
      await runtime.rerun(runId)
    ).result
    await (
      await runtime.fork(runId, { input: 'two', agent: 'lead' })
    ).result
    await (
      await runtime.rerun(runId, { workspace: 'b' })
    ).result
    expect(seen).toEqual(['a', 'a', 'a', 'b'])
  })

  it.each(['', ' ', 'a\0b'])('a run rejects the workspace %j before anything is stored', async workspace => {
    const { runtime } = setup()
    expect(() => runtime.run('worker', 'go', { workspace })).toThrow(
      expect.objectContaining({ info: expect.objectContaining({ code: 'config-invalid', path: 'workspace' }) }),
    )
    expect(await runtime.runs()).toEqual([])
  })
})

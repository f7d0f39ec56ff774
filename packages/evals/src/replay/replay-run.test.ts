import { defineTool, type ApprovalDecision, type Model, type Tool } from '@parley/core'
import { agentTool, createRuntime, defineAgent, type Agent } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { loadRunRecording } from './load-run-recording.ts'
import { replayRun } from './replay-run.ts'

interface Change {
  readonly instructions?: string
  readonly child?: string
  readonly defaultCity?: string
  readonly permission?: 'allow' | 'ask'
  readonly model?: Model
}

/** Agents with a tool, an approval, a child run and a tool source. `executed` counts what really ran. */
function makeAgents(change: Change = {}, decide: () => ApprovalDecision = () => ({ type: 'approved' })) {
  const executed: string[] = []
  const { instructions = 'Be brief.', child = 'Look.', defaultCity = 'Oslo', permission = 'ask' } = change
  const tool = (name: string, more: Partial<Tool> = {}) =>
    ({
      ...defineTool({
        name,
        description: 'd',
        input: { type: 'object' },
        execute: () => `${name} ${executed.push(name)}`,
      }),
      ...more,
    }) as Tool
  const look = tool('look', {
    input: {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: value => ({ value: { city: defaultCity, ...(value as object) } }),
      },
    },
    jsonSchema: { type: 'object' },
    effect: 'read',
  })
  const source = { name: 'source', tools: async () => [tool('remote')], [Symbol.asyncDispose]: async () => {} }
  const helper = defineAgent({
    name: 'helper',
    instructions: child,
    model: scriptedModel(['Helped.'], { id: 'h' }),
    tools: [],
  })
  const script = [
    { toolCalls: [{ name: 'look' }, { name: 'pay' }, { name: 'remote' }] },
    { toolCalls: [{ name: 'helper', input: { task: 'help' } }] },
    'Done.',
    'And thanks.',
  ]
  const main = defineAgent({
    name: 'main',
    instructions,
    model: change.model ?? scriptedModel(script, { id: 'm' }),
    tools: [look, tool('pay', { permission }), source, agentTool(helper) as Tool],
    onApproval: decide,
  })
  return { executed, agents: [main, helper] as readonly Agent[] }
}

async function recording(captureRequests: 'keep' | 'none' = 'keep') {
  const store = createMemoryStore()
  const { agents } = makeAgents()
  const runtime = createRuntime({ store, agents, captureRequests })
  const run = runtime.run('main', 'go', { instructions: 'Today only.', limits: { maxTokens: Infinity, maxTurns: 9 } })
  await run.followUp('Thanks.')
  const { runId } = await run.orThrow()
  return loadRunRecording(store, runId)
}

describe('replayRun', () => {
  it.each(['keep', 'none'] as const)(
    'a replay with the same code is the same, and executes no tool and asks no model or approver (captureRequests %s)',
    async captureRequests => {
      const recorded = JSON.parse(JSON.stringify(await recording(captureRequests))) as Awaited<
        ReturnType<typeof recording>
      >
      const asked: string[] = []
      const { executed, agents } = makeAgents({}, () => {
        asked.push('asked')
        return { type: 'rejected', reason: 'no' }
      })
      expect(await replayRun(recorded, agents)).toEqual({ result: 'same', differences: '', missing: [] })
      expect([executed, asked]).toEqual([[], []])
      for (const { model } of agents) expect((model as ReturnType<typeof scriptedModel>).requests).toEqual([])
    },
  )

  it('changed instructions are reported as the first request that differs', async () => {
    const report = await replayRun(await recording(), makeAgents({ instructions: 'Be long.' }).agents)
    expect(report.result).toBe('request')
    expect(report.differences).toContain('- Be brief.\n    + Be long.')
  })

  it('changed instructions of a child run are reported, and a child agent that is not given is named', async () => {
    const recorded = await recording()
    const report = await replayRun(recorded, makeAgents({ child: 'Listen.' }).agents)
    expect(report.differences).toMatch(/^Run of helper: [^]*- Look\.\n {4}\+ Listen\./)
    expect(await replayRun(recorded, makeAgents().agents.slice(0, 1))).toMatchObject({
      result: 'same',
      missing: ['helper'],
    })
  })

  it.each([
    ['the default of a schema', { defaultCity: 'Bergen' }, 'Bergen'],
    ['a permission', { permission: 'allow' as const }, 'approval'],
    ['a model', { model: scriptedModel([], { id: 'other' }) }, 'scripted/other'],
  ])('a change of %s is reported', async (_, change, shown) => {
    const report = await replayRun(await recording(), makeAgents(change).agents)
    expect(report.result).not.toBe('same')
    expect(report.differences).toContain(shown)
  })

  it('replayRun rejects agents without that of the run, and loadRunRecording rejects a run that was stopped', async () => {
    await expect(replayRun(await recording(), [])).rejects.toThrow("There is no agent named 'main'")
    const store = createMemoryStore()
    const run = createRuntime({ store }).run(defineAgent({ name: 'a', model: scriptedModel([{ hang: true }]) }), 'go')
    setTimeout(() => void run.cancel(), 20)
    const { runId } = await run.result
    await expect(loadRunRecording(store, runId)).rejects.toThrow('was stopped from outside')
  })
})

import { defineTool, type ToolContext } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel, type ScriptStep } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { resultsIn } from './__fixtures__/results-in.ts'
import { fanOut, type BranchResult, type Branch, type FanOutOptions } from './index.ts'

const error = { code: 'model-server', provider: 'p', detail: 'down' } as const

/** A branch whose model gives this one answer. */
function branch(step: ScriptStep): Branch {
  return { agent: defineAgent({ name: 'b', model: scriptedModel([step]) }), input: 'go' }
}

const texts = (branches: readonly BranchResult[]) =>
  branches.map(branch => (branch.status === 'completed' ? branch.text : branch.partialText))

describe('fanOut', () => {
  it('fanOut returns and merges the results in the order of the branches, whichever ends first', async () => {
    const late = Promise.withResolvers<void>()
    const branches = [branch({ text: 'one', until: late.promise }), branch('two'), branch('three')]
    const working = fanOut(createRuntime(), branches, { merge: results => texts(results).join('+') })
    setImmediate(late.resolve)
    const { results, merged, usage, failedFirst } = await working
    expect(texts(results)).toEqual(['one', 'two', 'three'])
    expect(results.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed'])
    expect(merged).toBe('one+two+three')
    expect(usage).toMatchObject({ input: 30, output: 15 })
    expect(failedFirst).toBeUndefined()
  })

  it('fanOut without branches returns no results', async () => {
    expect(await fanOut(createRuntime(), [])).toMatchObject({ results: [], merged: undefined, usage: { input: 0 } })
  })

  it.each([
    [undefined, 4],
    [2, 2],
    [9, 6],
  ])('fanOut with a concurrency of %s runs at most %i branches at the same time', async (concurrency, most) => {
    let active = 0
    let peak = 0
    const model = scriptedModel(() => {
      peak = Math.max(peak, ++active)
      return { text: 'x', until: new Promise<void>(resolve => setImmediate(resolve)).then(() => active--) }
    })
    const agent = defineAgent({ name: 'b', model })
    await fanOut(
      createRuntime(),
      Array.from({ length: 6 }, () => ({ agent, input: 'go' })),
      { concurrency },
    )
    expect(peak).toBe(most)
  })

  it('fanOut continues when a branch fails and merges all results', async () => {
    const branches = [branch({ error }), { agent: 'nobody', input: 'go' }, branch('three')]
    const { results, merged } = await fanOut(createRuntime(), branches, { merge: all => all.length })
    expect(results).toMatchObject([
      { status: 'failed', error: { code: 'model-server' } },
      { status: 'failed', error: { code: 'agent-unknown' }, runId: undefined },
      { status: 'completed', text: 'three' },
    ])
    expect(merged).toBe(3)
  })

  it('fanOut with fail-fast stops running branches, skips the rest and does not merge', async () => {
    const branches = [branch({ hang: true }), branch({ error }), branch('three')]
    const options: FanOutOptions<number> = { onFailure: 'fail-fast', concurrency: 2, merge: all => all.length }
    const { results, merged, failedFirst } = await fanOut(createRuntime(), branches, options)
    expect(results.map(({ status }) => status)).toEqual(['cancelled', 'failed', 'skipped'])
    expect([failedFirst, merged]).toEqual([1, undefined])
  })

  it('aborting its signal cancels running branches and skips the rest', async () => {
    const controller = new AbortController()
    const model = scriptedModel(() => {
      controller.abort()
      return { hang: true }
    })
    const agent = defineAgent({ name: 'b', model })
    const { results } = await fanOut(
      createRuntime(),
      [
        { agent, input: 'a' },
        { agent, input: 'b' },
      ],
      {
        concurrency: 1,
        signal: controller.signal,
      },
    )
    expect(results.map(({ status }) => status)).toEqual(['cancelled', 'skipped'])
  })

  it('fail-fast continues when a branch is suspended for approval', async () => {
    const pay = defineTool({
      name: 'pay',
      description: 'd',
      input: { type: 'object' },
      permission: 'ask',
      execute: () => 1,
    })
    const asking = defineAgent({ name: 'b', model: scriptedModel([{ toolCalls: [{ name: 'pay' }] }]), tools: [pay] })
    const runtime = createRuntime({ store: createMemoryStore() })
    const branches = [{ agent: asking, input: 'go' }, branch('two')]
    const { results } = await fanOut(runtime, branches, { onFailure: 'fail-fast' })
    expect(results).toMatchObject([{ status: 'suspended', approvals: [{ name: 'pay' }] }, { status: 'completed' }])
  })

  it('fanOut rejects a concurrency of zero with config-invalid', async () => {
    await expect(fanOut(createRuntime(), [], { concurrency: 0 })).rejects.toThrow('concurrency: is 0')
  })
})

describe('fanOut in a handler', () => {
  it('fanOut in a handler runs child runs, which count in the parent run and suspend it for approval', async () => {
    const pay = defineTool({
      name: 'pay',
      description: 'd',
      input: { type: 'object' },
      permission: 'ask',
      execute: () => 1,
    })
    const payer = defineAgent({
      name: 'payer',
      model: scriptedModel([{ toolCalls: [{ name: 'pay' }] }, 'Paid.']),
      tools: [pay],
    })
    const branches = [{ agent: payer, input: 'go' }, branch('two')]
    const both = defineTool({
      name: 'both',
      description: 'd',
      input: { type: 'object' },
      execute: async (_, context) => (await fanOut(context, branches, { merge: all => texts(all).join('+') })).merged,
    })
    const lead = defineAgent({
      name: 'lead',
      model: scriptedModel([{ toolCalls: [{ name: 'both' }] }, 'Done.']),
      tools: [both],
    })
    const store = createMemoryStore()
    const runtime = createRuntime({ agents: [lead], store })
    const first = await runtime.run('lead', 'go').result
    if (first.status !== 'suspended') throw new Error(first.status)
    const [request] = first.approvals
    const run = await runtime.decide(first.runId, request?.approvalId ?? '', { decision: { type: 'approved' } })
    const result = await run.result
    expect(resultsIn(result.messages)).toEqual(['Paid.+two'])
    expect(result.usage).toMatchObject({ input: 50 })
    expect(await store.runs({ scope: 'default' })).toHaveLength(3)
  })

  it('fanOut in a handler without delegate returns config-invalid for each branch', async () => {
    const { results } = await fanOut({ run: {} } as unknown as ToolContext, [branch('x')])
    expect(results).toMatchObject([{ status: 'failed', error: { code: 'config-invalid' } }])
  })
})

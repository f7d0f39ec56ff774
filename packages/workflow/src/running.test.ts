import { createRuntime, defineAgent } from '@parley/engine'
import { fakeClock, scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { defineWorkflow, type Step } from './index.ts'
import { call, echo, outcomeOf, setUpWorkflow, stepParts, success, type SetUp } from './__fixtures__/set-up-workflow.ts'

const boss = { id: 'b', roles: ['boss'] }
const ask: Step = { type: 'approval', name: 'ok', prompt: 'Pay {{result}}?', roles: ['boss'] }

/** Starts a run that is suspended for its first approval. */
async function waiting(steps: readonly Step[], setUp: SetUp = {}) {
  const given = setUpWorkflow(steps, setUp)
  const result = await given.run().result
  const [request] = result.status === 'suspended' ? result.approvals : []
  const decide = async (decision: Parameters<typeof given.runtime.decide>[2]['decision'], by = boss) =>
    outcomeOf(await given.runtime.decide(result.runId, request?.approvalId ?? '', { decision, by }))
  return { ...given, runId: result.runId, request, status: result.status, decide }
}

describe('an approval', () => {
  it('an approval shows values of the run, and only its roles may decide', async () => {
    const { request, decide, calls } = await waiting([echo(5), ask, echo(['{{result}}', '{{steps.ok.output}}'])])
    expect(request).toMatchObject({ prompt: 'Pay 5?', roles: ['boss'], callId: 'ok' })
    await expect(decide({ type: 'approved' }, { id: 'x', roles: ['clerk'] })).rejects.toThrow(
      'requires one of these roles',
    )
    expect(calls).toEqual([5])
    expect(await decide({ type: 'approved' })).toEqual(success([true, true]))
  })

  it('an approval with a modified input has its value as output', async () => {
    const { decide } = await waiting([echo(5), ask])
    expect(await decide({ type: 'modified', input: { prompt: 'Pay 4?', value: 4 } })).toEqual(success(4))
  })

  it('a rejected approval fails the step, or runs the steps of onRejected', async () => {
    const refused = { type: 'rejected' as const, reason: 'too much.' }
    expect(await (await waiting([echo(5), ask])).decide(refused)).toMatchObject({
      code: 'step-failed',
      step: 'ok',
      cause: 'approval-rejected',
      detail: 'too much.',
    })
    const onRejected = [echo('no: {{reason}}')]
    const { decide } = await waiting([echo(5), { ...ask, onRejected, onFailure: 'continue' }, echo('{{result}}')])
    expect(await decide(refused)).toEqual(success('no: too much.'))
  })

  it('an expired approval fails the step, or runs the steps of onTimeout, without a reader', async () => {
    for (const onTimeout of [undefined, [echo('late')]]) {
      const clock = fakeClock()
      const step: Step = { ...ask, timeoutMs: 60_000, onTimeout, onRejected: [echo('no')] }
      const { runId, store, runtime } = await waiting([echo(5), step], { runtime: { clock } })
      await clock.advance(60_001)
      const run = await store.run(runId)
      expect(run?.status).toBe(onTimeout === undefined ? 'failed' : 'completed')
      const last = (await runtime.transcript(runId)).at(-2)
      if (onTimeout !== undefined) expect(last).toMatchObject({ content: [{ text: 'late' }, {}] })
    }
  })

  it('without a store and a handler, an approval is denied', async () => {
    const parts = stepParts()
    const workflow = defineWorkflow(
      { name: 'w', steps: [{ ...ask, prompt: 'p', onRejected: [echo(1)] }, echo(2)] },
      parts.registry,
    )
    const outcome = await outcomeOf(createRuntime({ agents: [workflow] }).run('w', 'go'))
    expect(outcome).toMatchObject({ code: 'step-failed', step: 'ok', cause: 'tool-denied' })
    expect(parts.calls).toEqual([])
  })

  it('an approval suspends only its own branch', async () => {
    const branch: Step = { type: 'sequence', steps: [echo('a'), ask, echo('paid {{result}}')] }
    const { calls, decide } = await waiting([
      { type: 'parallel', steps: [branch, { type: 'sequence', steps: [call('work', 'b'), call('work', 'c')] }] },
    ])
    expect(calls).toEqual(['a', 'b', 'c'])
    expect(await decide({ type: 'approved' })).toEqual(success(['paid true', 'c']))
    expect(calls).toEqual(['a', 'b', 'c', 'paid true'])
  })

  it('several approvals of a run are decided one by one', async () => {
    const steps: Step[] = [{ type: 'approval', prompt: '{{item}}?' }, echo('{{item}}: {{result}}')]
    const { run, runtime, calls } = setUpWorkflow([{ type: 'map', over: 'list', steps }], {
      fields: { inputs: { list: {} } },
    })
    let result = await run({ list: ['a', 'b', 'c'] }).result
    for (const left of [3, 2, 1]) {
      const approvals = result.status === 'suspended' ? result.approvals : []
      expect(approvals).toHaveLength(left)
      const decision = { type: 'approved' as const }
      result = await (await runtime.decide(result.runId, approvals.at(-1)?.approvalId ?? '', { decision })).result
    }
    expect(result.status === 'completed' && result.output).toEqual(success(['a: true', 'b: true', 'c: true']))
    expect(calls).toHaveLength(3)
  })

  it('onApproval decides in the same process, also inside a branch', async () => {
    const parts = stepParts()
    const options = { ...parts.registry, onApproval: () => ({ type: 'approved' as const }) }
    const { outcome } = setUpWorkflow([{ type: 'parallel', steps: [{ type: 'sequence', steps: [echo(1), ask] }] }], {
      options,
    })
    expect(await outcome()).toEqual(success([true]))
  })
})

describe('a run', () => {
  it('cancelling a run stops its running step, also in a child run', async () => {
    for (const steps of [
      [call('hang', 'x')],
      [{ type: 'parallel', steps: [{ type: 'sequence', steps: [echo(1), call('hang', 'x')] }] }],
    ]) {
      const { run, stopped } = setUpWorkflow(steps as Step[])
      const running = run()
      for await (const event of running) if (event.type === 'tool.started' && event.name === 'hang') break
      await running.cancel()
      expect(stopped).toEqual(['x'])
      expect((await running.result).status).toBe('cancelled')
    }
  })

  it('limits.maxDurationMs stops the running step', async () => {
    const clock = fakeClock()
    const { run, stopped } = setUpWorkflow([call('hang', 'x')], {
      fields: { limits: { maxDurationMs: 5_000 } },
      runtime: { clock },
    })
    const running = run()
    for await (const event of running) if (event.type === 'tool.started') break
    await clock.advance(5_000)
    expect(await running.result).toMatchObject({ status: 'limit', hit: { limit: 'duration', max: 5_000 } })
    expect(stopped).toEqual(['x'])
  })

  it('a run without maxDurationMs has no time limit', async () => {
    const clock = fakeClock()
    const { decide } = await waiting([echo(1), ask], {
      runtime: { clock: { now: clock.now, after: clock.after } },
    })
    await clock.advance(90 * 86_400_000)
    expect(await decide({ type: 'approved' })).toEqual(success(true))
  })

  it('an inner workflow has its own maxDurationMs', async () => {
    const clock = fakeClock()
    const parts = stepParts()
    const slow = { name: 'slow', limits: { maxDurationMs: 1_000 }, steps: [call('hang', 'x')] }
    const { run } = setUpWorkflow([{ type: 'workflow', workflow: 'slow' }], {
      options: { ...parts.registry, workflows: [slow] },
      runtime: { clock },
    })
    const running = run()
    for await (const event of running) if (event.type === 'tool.started' && event.name === 'hang') break
    await clock.advance(1_000)
    expect(await running.result).toMatchObject({
      status: 'failed',
      error: { code: 'step-failed', cause: 'run-failed' },
    })
  })

  it('a running workflow rejects steering messages and follow-ups', async () => {
    const { run } = setUpWorkflow([call('hang'), echo(1)])
    const running = run()
    for await (const event of running) if (event.type === 'tool.started') break
    await expect(running.steer('wait')).rejects.toThrow('takes no messages')
    await expect(running.followUp('and then')).rejects.toThrow('takes no messages')
    await running.cancel()
  })

  it('each run starts from the first step, also in a session with earlier runs', async () => {
    const { runtime, calls } = setUpWorkflow([
      echo('{{input}}'),
      { type: 'map', over: 'results', steps: [echo('{{item}}'), echo('{{result}}!')] },
    ])
    const first = await runtime.invoke('w', 'one')
    const { sessionId } = first
    const second = await runtime.invoke('w', 'two', { sessionId })
    const third = await runtime.invoke('w', 'three', { sessionId })
    expect([first, second, third].map(({ output }) => output)).toEqual([
      success(['one!']),
      success(['two!']),
      success(['three!']),
    ])
    expect(calls).toHaveLength(9)
  })

  it('a run fails if its definition was changed since it started', async () => {
    const given = await waiting([echo(1), ask, echo(2)])
    const changed = defineWorkflow({ name: 'w', steps: [echo(1), ask, echo(3)] }, stepParts().registry)
    const runtime = createRuntime({ agents: [changed], store: given.store, isWorkerGone: () => true })
    const approvalId = given.request?.approvalId ?? ''
    const run = await runtime.decide(given.runId, approvalId, { decision: { type: 'approved' }, by: boss })
    expect(await outcomeOf(run)).toMatchObject({
      code: 'config-invalid',
      detail: expect.stringContaining('was changed since') as string,
    })
  })

  it('limits.maxTokens limits the tokens of all agents together', async () => {
    const steps = Array.from({ length: 5 }, (): Step => ({ type: 'agent', agent: 'shouter', prompt: 'p' }))
    const { run, shout } = setUpWorkflow(steps, { fields: { limits: { maxTokens: 40 } } })
    const result = await run().result
    expect(result).toMatchObject({ status: 'limit', hit: { limit: 'tokens' } })
    expect(shout.requests).toHaveLength(3)
    expect(result.usage).toMatchObject({ input: 30, output: 15 })
  })

  it('limits.maxCost limits the cost of all agents together', async () => {
    const pricing = { input: 100_000, output: 0, source: 's', date: '2026-01-01' }
    const dear = defineAgent({ name: 'dear', model: scriptedModel(() => 'ok', { info: { pricing } }) })
    const steps = Array.from({ length: 3 }, (): Step => ({ type: 'agent', agent: 'dear', prompt: 'p' }))
    const { run } = setUpWorkflow(steps, { fields: { limits: { maxCost: 1.5 } }, options: { agents: [dear] } })
    expect(await run().result).toMatchObject({
      status: 'limit',
      hit: { limit: 'cost', max: 1.5, value: 2 },
      cost: { usd: 2, pricedAt: '2026-01-01' },
    })
  })

  it('the cost limits of a run and of the runtime’s defaults hold for a workflow', async () => {
    const pricing = { input: 100_000, output: 0 }
    const dear = defineAgent({ name: 'dear', model: scriptedModel(() => 'ok', { info: { pricing } }) })
    const steps = Array.from({ length: 3 }, (): Step => ({ type: 'agent', agent: 'dear', prompt: 'p' }))
    const options = { agents: [dear] }
    const { run } = setUpWorkflow(steps, { options, runtime: { defaults: { limits: { maxCost: 0.5 } } } })
    expect(await run().result).toMatchObject({ status: 'limit', hit: { limit: 'cost', max: 0.5, value: 1 } })
    const { runtime } = setUpWorkflow(steps, { options, fields: { limits: { maxCost: 0.5 } } })
    expect(await runtime.run('w', 'go', { limits: { maxCost: 1.5 } }).result).toMatchObject({
      status: 'limit',
      hit: { limit: 'cost', max: 1.5, value: 2 },
    })
  })

  it('a workflow ignores the agent defaults of the runtime, except the tool timeout', async () => {
    const clock = fakeClock()
    const branch: Step = { type: 'sequence', steps: [call('work', 1), call('work', 2)] }
    const defaults = {
      onLimit: 'answer',
      toolExecution: 'sequential',
      toolTimeoutMs: 10,
      limits: { maxTurns: 1, maxDurationMs: 10, maxCost: 1 },
    } as const
    const { run, load } = setUpWorkflow([{ type: 'parallel', steps: [branch, branch] }, call('hang')], {
      fields: { onFailure: 'continue' },
      runtime: { clock, defaults },
    })
    const running = run()
    for await (const event of running) if (event.type === 'tool.started' && event.name === 'hang') break
    expect(load.most).toBe(2)
    await clock.advance(10)
    expect(await outcomeOf(running)).toMatchObject({
      status: 'partial',
      failures: [{ step: '1', code: 'tool-timeout' }],
    })
  })

  it('the default tool timeout does not apply to the child run of a branch', async () => {
    const clock = fakeClock()
    const branch: Step = { type: 'sequence', steps: [{ type: 'approval', prompt: 'p' }, call('hang', 'x')] }
    const { run } = setUpWorkflow([{ type: 'parallel', steps: [branch] }], {
      options: {
        ...stepParts().registry,
        onApproval: () => new Promise(resolve => void clock.after(50, () => resolve({ type: 'approved' }))),
      },
      runtime: { clock, defaults: { toolTimeoutMs: 10 } },
    })
    const running = run()
    for await (const event of running) if (event.type === 'approval.requested') break
    await clock.advance(50)
    await clock.advance(10)
    expect(await outcomeOf(running)).toMatchObject({ code: 'step-failed', step: '0.0.1', cause: 'tool-timeout' })
  })

  it('a rerun and a fork start from the first step', async () => {
    const { run, runtime, calls } = setUpWorkflow([echo('{{input}}'), echo('{{result}}!')])
    const { runId } = await run().result
    expect(await outcomeOf(await runtime.rerun(runId))).toEqual(success('go!'))
    expect(await outcomeOf(await runtime.fork(runId, { input: 'on' }))).toEqual(success('on!'))
    expect(calls).toEqual(['go', 'go!', 'go', 'go!', 'on', 'on!'])
  })

  it('a workflow can be the agent of a step in another workflow', async () => {
    const parts = stepParts()
    const inner = defineWorkflow(
      { name: 'inner', steps: [call('work', '{{input}}'), call('work', '{{result}}')] },
      parts.registry,
    )
    const { outcome } = setUpWorkflow([{ type: 'parallel', steps: [{ type: 'agent', agent: 'inner', prompt: 'a' }] }], {
      options: { agents: [inner], tools: parts.tools },
    })
    expect(await outcome()).toEqual(success([success('a')]))
  })
})

import { defineMiddleware } from '@parley/core'
import { fakeClock } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import type { Step } from './index.ts'
import { call, echo, eventsOf, outcomeOf, setUpWorkflow, stepParts, success } from './__fixtures__/set-up-workflow.ts'

const broken = { code: 'tool-failed', detail: "'fail' failed: broken" }

describe('a step that fails', () => {
  it('a failed step ends the run with its id and error, and no later step runs', async () => {
    const { outcome, calls } = setUpWorkflow([echo(1), { ...call('fail'), name: 'bad' } as Step, echo(2)])
    const { detail, code: cause } = broken
    expect(await outcome()).toEqual({ code: 'step-failed', workflow: 'w', step: 'bad', cause, detail })
    expect(calls).toEqual([1, null])
  })

  it('with onFailure continue, the output of a failed step is null and the result is partial', async () => {
    const { outcome } = setUpWorkflow([echo(1), call('fail'), echo(['{{result}}', '{{results}}'])], {
      fields: { onFailure: 'continue' },
    })
    const failures = [{ step: '1', ...broken }]
    expect(await outcome()).toEqual({ status: 'partial', result: [null, [1, null]], failures })
  })

  it('with onFailure run, other steps replace the output and can use the reason', async () => {
    const fallback = { run: [echo('{{input}}: {{reason}}')] }
    const { outcome } = setUpWorkflow([{ ...call('fail'), onFailure: fallback }, echo('{{result}}')])
    const result = "go: 'fail' failed: broken"
    expect(await outcome()).toEqual({ status: 'partial', result, failures: [{ step: '0', ...broken }] })
  })

  it('a step fails if the steps of its failure policy fail', async () => {
    const fields = { onFailure: { run: [call('fail', 2)] } }
    expect(await setUpWorkflow([call('fail', 1)], { fields }).outcome()).toMatchObject({ step: '0!.0' })
  })

  it('the failure policy of a step overrides that of the workflow', async () => {
    const steps = [{ ...call('fail'), onFailure: 'continue' } as Step, call('fail')]
    expect(await setUpWorkflow(steps).outcome()).toMatchObject({ code: 'step-failed', step: '1' })
  })

  it('a failure in an inner workflow has the step id of the whole run', async () => {
    const inner = { name: 'inner', steps: [echo(1), call('fail')] }
    const tolerant = { ...inner, name: 'tolerant', onFailure: 'continue' as const }
    const given = (workflow: string): Step => ({ type: 'workflow', workflow, name: 'sub' })
    const options = { workflows: [inner, tolerant], tools: stepParts().tools }
    expect(await setUpWorkflow([given('inner')], { options }).outcome()).toMatchObject({ step: 'sub.1', workflow: 'w' })
    expect(await setUpWorkflow([given('tolerant')], { options }).outcome()).toEqual({
      status: 'partial',
      result: null,
      failures: [{ step: 'sub.1', ...broken }],
    })
  })
})

describe('concurrent steps', () => {
  it('a failure stops concurrent tools and child runs', async () => {
    const inner: Step = { type: 'sequence', steps: [echo('x'), call('hang', 'inner')] }
    const { outcome, stopped } = setUpWorkflow([
      {
        type: 'parallel',
        steps: [call('hang', 'a'), inner, { type: 'sequence', steps: [echo('x'), echo('y'), call('fail')] }],
      },
    ])
    expect(await outcome()).toMatchObject({ code: 'step-failed', step: '0.2.2', cause: 'tool-failed' })
    expect(new Set(stopped)).toEqual(new Set(['a', 'inner']))
  })

  it('a failure does not wait more than a second for a sibling that ignores its signal', async () => {
    const clock = fakeClock()
    const { run } = setUpWorkflow([{ type: 'parallel', steps: [call('stubborn'), call('fail')] }], {
      options: { clock },
    })
    const running = run()
    for await (const event of running) if (event.type === 'tool.ended') break
    await clock.advance(1_000)
    expect(await running.result).toMatchObject({ status: 'failed', error: { step: '0.1' } })
  })

  it('an error of a middleware stops concurrent steps', async () => {
    const { tools, agents, stopped } = stepParts()
    const breaking = defineMiddleware('m', () => ({
      async tool(call, next) {
        if (call.tool.name !== 'echo') return next(call)
        await new Promise(resolve => setImmediate(resolve))
        throw new Error('no')
      },
    }))
    const { outcome } = setUpWorkflow([{ type: 'parallel', steps: [call('hang', 'a'), echo(1)] }], {
      options: { tools, agents, middleware: [breaking] },
    })
    expect(await outcome()).toMatchObject({ step: '0.1', detail: "'echo' failed: no" })
    expect(stopped).toEqual(['a'])
  })

  it('after a failure no further concurrent step starts', async () => {
    const steps = [call('fail'), ...Array.from({ length: 9 }, (_, n) => call('work', n))]
    const { outcome, calls } = setUpWorkflow([{ type: 'parallel', steps }], { fields: { parallelLimit: 1 } })
    expect(await outcome()).toMatchObject({ step: '0.0' })
    expect(calls).toEqual([null])
  })

  it('a signal that a middleware adds to concurrent calls stops each of them', async () => {
    const { tools, stopped } = stepParts()
    const own = new AbortController()
    const signals = defineMiddleware('m', () => ({
      tool: (call, next) => next({ ...call, signal: AbortSignal.any([call.signal, own.signal]) }),
    }))
    const { run } = setUpWorkflow([{ type: 'parallel', steps: [call('hang', 'a'), call('hang', 'b')] }], {
      options: { tools, middleware: [signals] },
    })
    const running = run()
    let started = 0
    for await (const event of running) if (event.type === 'tool.started' && ++started === 2) break
    own.abort()
    expect(await outcomeOf(running)).toMatchObject({ cause: 'tool-failed' })
    expect(stopped).toEqual(['a', 'b'])
  })

  it('a cancelled run starts none of the steps that wait for a place, with either failure policy', async () => {
    for (const onFailure of ['fail', 'continue'] as const) {
      const steps = [call('hang', 'x'), ...Array.from({ length: 9 }, (_, n) => call('work', n))]
      const { run, calls, stopped } = setUpWorkflow([{ type: 'parallel', onFailure, steps }], {
        fields: { parallelLimit: 1 },
      })
      const running = run()
      for await (const event of running) if (event.type === 'tool.started') break
      await running.cancel()
      expect((await running.result).status).toBe('cancelled')
      expect(calls).toEqual([])
      expect(stopped).toEqual(['x'])
    }
  })

  it('with onFailure continue, outputs and failures keep their order', async () => {
    const parallel: Step = {
      type: 'parallel',
      onFailure: 'continue',
      steps: [call('fail'), echo('b'), { type: 'sequence', steps: [echo('x'), call('fail')] }, echo('d')],
    }
    expect(await setUpWorkflow([parallel]).outcome()).toEqual({
      status: 'partial',
      result: [null, 'b', null, 'd'],
      failures: [
        { step: '0.0', ...broken },
        { step: '0.2.1', ...broken },
      ],
    })
  })

  it('a parallel step fails if all its branches fail', async () => {
    const steps = [call('fail'), call('fail')]
    const { outcome } = setUpWorkflow([{ type: 'parallel', steps, onFailure: 'continue' }, echo('{{result}}')])
    expect(await outcome()).toMatchObject({
      status: 'partial',
      result: null,
      failures: [{ step: '0.0' }, { step: '0.1' }, { step: '0' }],
    })
  })

  it('a map handles failures as a parallel step does', async () => {
    const choose: Step = {
      type: 'if',
      condition: { equals: [{ variable: 'item' }, 2] },
      steps: [call('fail')],
      else: [echo('{{item}}')],
    }
    const map = (fields: object): Step => ({ type: 'map', over: 'list', steps: [choose], ...fields }) as Step
    const outcome = (fields: object) =>
      setUpWorkflow([map(fields)], { fields: { inputs: { list: {} } } }).outcome({ list: [1, 2, 3] })
    expect(await outcome({})).toMatchObject({ code: 'step-failed', step: '0[1].then.0' })
    expect(await outcome({ onFailure: 'continue' })).toEqual({
      status: 'partial',
      result: [1, null, 3],
      failures: [{ step: '0[1].then.0', ...broken }],
    })
    expect(await outcome({ reduce: 'majority', onFailure: 'continue' })).toMatchObject({ result: 1 })
  })

  it('a map with reduce first reports no failure if one item succeeds', async () => {
    const steps: Step[] = [
      {
        type: 'if',
        condition: { lessThan: [{ variable: 'item' }, 3] },
        steps: [call('fail')],
        else: [echo('{{item}}')],
      },
    ]
    const outcome = (list: number[]) =>
      setUpWorkflow([{ type: 'map', over: 'list', reduce: 'first', steps }], {
        fields: { inputs: { list: {} } },
      }).outcome({ list })
    expect(await outcome([1, 2, 3, 4])).toEqual(success(3))
    expect(await outcome([1, 2])).toMatchObject({
      step: '0',
      detail: expect.stringContaining('all 2 branches failed') as string,
    })
    expect(await outcome([])).toMatchObject({ step: '0' })
  })
})

describe('parallelLimit', () => {
  it('parallelLimit applies to the whole run with all its child runs', async () => {
    const fields = { inputs: { list: {} }, parallelLimit: 3 }
    const inner: Step = {
      type: 'map',
      over: 'list',
      as: 'it',
      steps: [call('work', '{{it}}'), call('work', '{{result}}')],
    }
    const sub = { name: 'sub', inputs: { list: {} }, parallelLimit: 50, steps: [inner] }
    const parts = stepParts()
    const { outcome } = setUpWorkflow(
      [
        {
          type: 'parallel',
          steps: [inner, { ...inner }, { type: 'workflow', workflow: 'sub', inputs: { list: '{{list}}' } }],
        },
        { type: 'parallel', steps: Array.from({ length: 9 }, () => call('work', 1)) },
      ],
      { fields: { ...fields, output: '{{results.0.2.11}}' }, options: { workflows: [sub], tools: parts.tools } },
    )
    expect(await outcome({ list: Array.from({ length: 12 }, (_, n) => n) })).toEqual(success(11))
    expect(parts.load.most).toBe(3)
  })

  it('two runs have separate parallel limits', async () => {
    const { run, load } = setUpWorkflow([call('work')], { fields: { parallelLimit: 1 } })
    await Promise.all([run().result, run().result])
    expect(load.most).toBe(2)
  })
})

it('events show the id of each step and the path of its run', async () => {
  const two = { type: 'sequence', steps: [echo('{{item}}'), echo('b')] } as const
  const { run } = setUpWorkflow([
    { type: 'agent', name: 'ask', agent: 'shouter', prompt: 'a' },
    { type: 'map', name: 'each', over: 'results', steps: [two] },
  ])
  const running = run()
  const ended = (await eventsOf(running)).flatMap(event => (event.type === 'tool.ended' ? [event] : []))
  expect(ended.map(({ callId }) => callId)).toEqual(['ask', 'each[0].0', 'each[0].1', 'end', 'each[0]', 'end'])
  expect(ended.map(({ path }) => path[0] ?? running.runId)).toEqual(Array(6).fill(running.runId))
})

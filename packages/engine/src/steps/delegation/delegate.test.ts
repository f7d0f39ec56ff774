import type { DelegateResult } from '@parley/core'
import { scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '@parley/memory-store'
import { createRuntime, defineAgent } from '../../index.ts'
import { resultsIn } from './__fixtures__/set-up-team.ts'
import { withHandler } from './__fixtures__/with-handler.ts'

describe('delegate', () => {
  it('delegate runs several child runs and returns the outcome of each', async () => {
    const helper = defineAgent({ name: 'helper', model: scriptedModel(['One.', 'Two.']) })
    const results: DelegateResult[] = []
    const lead = withHandler(async ({ delegate }) => {
      results.push(await delegate({ agent: helper, input: 'x' }), await delegate({ agent: helper, input: 'y' }))
    })
    await createRuntime({ agents: [lead] }).run('lead', 'go').result
    expect(results).toMatchObject([
      { status: 'completed', finish: 'stop', text: 'One.', turns: 1, usage: { input: 10 } },
      { status: 'completed', text: 'Two.' },
    ])
    expect(results[0]?.runId).not.toBe(results[1]?.runId)
  })

  it('delegate returns the same child run for the same key', async () => {
    const helper = defineAgent({ name: 'helper', model: scriptedModel(['One.']) })
    const lead = withHandler(async ({ delegate }) => {
      const ask = () => delegate({ agent: helper, input: 'x', key: 'k' })
      const [one, two] = await Promise.all([ask(), ask()])
      return one.runId === two.runId && (await ask()).runId === one.runId
    })
    expect(resultsIn((await createRuntime({ agents: [lead] }).run('lead', 'go').result).messages)).toEqual(['true'])
  })

  it('aborting the signal of one delegate call cancels only that child run', async () => {
    const helper = defineAgent({ name: 'helper', model: scriptedModel([{ hang: true }]) })
    const lead = withHandler(async ({ delegate }) => {
      const controller = new AbortController()
      const working = delegate({ agent: helper, input: 'x', signal: controller.signal })
      controller.abort(new Error('changed my mind'))
      return (await working).status
    })
    const result = await createRuntime({ agents: [lead] }).run('lead', 'go').result
    expect(result.status).toBe('completed')
    expect(resultsIn(result.messages)).toEqual(['"cancelled"'])
  })

  it('delegate continues a session and returns session-busy while another run holds it', async () => {
    const store = createMemoryStore()
    const third = Promise.withResolvers<void>()
    const model = scriptedModel((_, index) => {
      if (index < 2) return ['One.', 'Two.'][index] ?? ''
      third.resolve()
      return { hang: true }
    })
    const helper = defineAgent({ name: 'helper', model })
    const lead = withHandler(async ({ delegate }) => {
      const ask = (signal?: AbortSignal) => delegate({ agent: helper, input: 'x', sessionId: 's', signal })
      await ask()
      await ask()
      const controller = new AbortController()
      const working = ask(controller.signal)
      await third.promise
      const busy = await ask()
      controller.abort()
      return [busy, await working]
    })
    const result = await createRuntime({ agents: [lead], store }).run('lead', 'go').result
    expect(model.requests[1]?.messages).toHaveLength(3)
    expect(JSON.parse(resultsIn(result.messages)[0] ?? '')).toMatchObject([
      { status: 'failed', error: { code: 'session-busy' }, partialText: '' },
      { status: 'cancelled', partialText: '' },
    ])
    expect(resultsIn(result.messages)[0]).not.toContain('"text"')
    expect(result.status).toBe('completed')
  })

  it.each([
    ['an invalid limit', { agent: 'lead', input: 'x', limits: { maxTurns: 0 } }, 'delegate.limits.maxTurns'],
    ['an invalid agent', { agent: { name: 'odd' }, input: 'x' }, 'agents.odd.model: is missing'],
  ])('delegate rejects %s, and the tool call fails', async (_, request, words) => {
    const lead = withHandler(({ delegate }) => delegate(request))
    const result = await createRuntime({ agents: [lead] }).run('lead', 'go').result
    expect(resultsIn(result.messages)[0]).toContain(words)
    expect(result.status).toBe('completed')
  })

  it('delegate starts no child run after its tool call has ended', async () => {
    const helper = defineAgent({ name: 'helper', model: scriptedModel(['x']) })
    const left = Promise.withResolvers<void>()
    let late: Promise<unknown> = Promise.resolve()
    const lead = withHandler(async ({ delegate }) => {
      late = left.promise.then(() => delegate({ agent: helper, input: 'x' }))
      late.catch(() => {})
    })
    const run = createRuntime({ agents: [lead] }).run('lead', 'go')
    const types: string[] = []
    for await (const event of run) {
      types.push(event.type)
      if (event.type === 'tool.ended') left.resolve()
    }
    await expect(late).rejects.toThrow('the call has ended')
    expect(types).not.toContain('agent.started')
  })

  it('delegate starts no child run after its tool call was aborted', async () => {
    let refused: unknown
    const begun = Promise.withResolvers<void>()
    const helper = defineAgent({ name: 'helper', model: scriptedModel(['x']) })
    const lead = withHandler(async ({ delegate, signal }) => {
      begun.resolve()
      await new Promise(resolve => signal.addEventListener('abort', resolve))
      await delegate({ agent: helper, input: 'x' }).catch((error: unknown) => (refused = error))
    })
    const run = createRuntime({ agents: [lead] }).run('lead', 'go')
    const events = []
    void begun.promise.then(() => run.cancel())
    for await (const event of run) events.push(event.type)
    expect(refused).toMatchObject({ info: { code: 'cancelled' } })
    expect(events).not.toContain('agent.started')
  })

  it('delegate passes variables to the instructions of the sub-agent', async () => {
    const model = scriptedModel(['Hi.'])
    const instructions = { template: 'Greet {{who}}.', variables: ['who'], required: ['who'] }
    const helper = defineAgent({ name: 'helper', model, instructions })
    const lead = withHandler(({ delegate }) => delegate({ agent: helper, input: 'x', variables: { who: 'Ada' } }))
    expect((await createRuntime().run(lead, 'go').result).status).toBe('completed')
    expect(model.requests[0]?.system.map(({ text }) => text)).toEqual(['Greet Ada.'])
  })
})

import { summarize } from '@parley/context-policies'
import { defineMiddleware, type Model, type RetryPolicy } from '@parley/core'
import { scriptedModel, type ScriptStep } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { createRuntime, defineAgent } from '../../index.ts'

/** A model that notes how it is told to retry. */
function noting(steps: readonly ScriptStep[], noted: (RetryPolicy | undefined)[]): Model {
  const model = scriptedModel(steps)
  return {
    provider: model.provider,
    id: model.id,
    info: model.info,
    stream: (request, options) => {
      noted.push(options.retry)
      return model.stream(request, options)
    },
  }
}

describe('what an agent says about retries', () => {
  it('reaches the provider with each model call, through middleware, and nothing does of one that says nothing', async () => {
    const noted: (RetryPolicy | undefined)[] = []
    const retry = { maxRetries: 7, backoff: 'linear' } as const
    const around = defineMiddleware('around', () => ({
      model: (call, next) => next({ turn: call.turn, model: call.model, request: call.request, signal: call.signal }),
    }))
    const call = { toolCalls: [{ name: 'transfer_to_b' }] }
    const b = defineAgent({ name: 'b', model: noting(['from b'], noted) })
    const a = defineAgent({ name: 'a', model: noting([call], noted), retry, middleware: [around], handoffs: [b] })
    const plain = defineAgent({ name: 'plain', model: noting(['x', 'y'], noted), retry: { maxRetries: 0 } })
    const runtime = createRuntime({ agents: [a, b, plain] })
    await runtime.invoke('a', 'go')
    await runtime.invoke('plain', 'go')
    await runtime.invoke('plain', 'go', { captureRequests: 'show' })
    expect(noted).toEqual([retry, undefined, { maxRetries: 0 }, { maxRetries: 0 }])
  })

  it('holds for the calls its context policy makes', async () => {
    const noted: (RetryPolicy | undefined)[] = []
    const model = noting(['a summary', 'Done.'], noted)
    const context = summarize({ maxMessages: 4, keepRecentTurns: 1 })
    const retry = { maxRetries: 5 }
    const agent = defineAgent({ name: 'a', model, retry, context })
    const history = Array.from({ length: 6 }, (_, index) => ({
      role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
      content: [{ type: 'text' as const, text: 'word '.repeat(100) }],
    }))
    expect(await createRuntime().invoke(agent, 'go', { history })).toMatchObject({ text: 'Done.' })
    expect(noted).toEqual([retry, retry])
  })

  it('is said for all agents by the runtime’s defaults, and by one of them for itself', async () => {
    const noted: (RetryPolicy | undefined)[] = []
    const agents = [
      defineAgent({ name: 'a', model: noting(['x'], noted) }),
      defineAgent({ name: 'b', model: noting(['x'], noted), retry: { jitter: 0 } }),
    ]
    const runtime = createRuntime({ agents, defaults: { retry: { maxRetries: 4 } } })
    await runtime.invoke('a', 'go')
    await runtime.invoke('b', 'go')
    expect(noted).toEqual([{ maxRetries: 4 }, { jitter: 0 }])
    expect(() => createRuntime({ defaults: { retry: { jitter: 3 } } })).toThrow('defaults.retry.jitter')
  })
})

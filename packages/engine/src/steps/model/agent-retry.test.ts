import { summarize } from '@parley/context-policies'
import { defineMiddleware, type Model, type RetryPolicy } from '@parley/core'
import { scriptedModel, type ScriptStep } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { createRuntime, defineAgent } from '../../index.ts'

/** A model that records the retry policy of each call. */
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

describe('the retry policy of an agent', () => {
  it('the agent’s retry policy reaches the provider with each model call, also through middleware', async () => {
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

  it('the agent’s retry policy applies to the calls of its context policy', async () => {
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

  it('the runtime’s default retry policy applies to agents without their own', async () => {
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

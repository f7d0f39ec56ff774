import { ParleyError, type Model, type ModelCallOptions, type ModelEvent, type ModelRequest } from '@parley/core'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { emptyRequest, failure, play, say, scriptedModel } from '../__fixtures__/scripted-model.ts'
import { fallback } from './fallback.ts'
import { spread } from './spread.ts'

const usage = { input: 1, output: 0, reasoning: 0, cacheRead: 0, cacheWrite: 0 }

describe('fallback', () => {
  it('fallback calls only the first model if it answers', async () => {
    const second = scriptedModel('b', say('b'))
    expect(await play(fallback(scriptedModel('a', say('a')), second))).toEqual(say('a'))
    expect(second.calls).toEqual([])
  })

  it('fallback calls the next model after a transient failure, and announces it', async () => {
    const error = failure()
    const model = fallback(
      scriptedModel('a', [], { error }),
      scriptedModel('b', [], { error: failure('model-timeout') }),
      scriptedModel('c', say('c')),
    )
    expect(await play(model)).toEqual([
      { type: 'retry', attempt: 1, delayMs: 0, error: error.info, fallback: { from: 'acme/a', to: 'acme/b' } },
      {
        type: 'retry',
        attempt: 2,
        delayMs: 0,
        error: failure('model-timeout').info,
        fallback: { from: 'acme/b', to: 'acme/c' },
      },
      ...say('c'),
    ])
  })

  it('fallback hands the same request to each model', async () => {
    const second = scriptedModel('b', say('b'))
    await play(fallback(scriptedModel('a', [], { error: failure() }), second))
    expect(second.calls).toEqual([emptyRequest])
    expect(second.calls[0]).toBe(emptyRequest)
  })

  it('fallback and spread hand the retry policy of the call to each model', async () => {
    for (const join of [fallback, (...models: Model[]) => spread(models)]) {
      const given: unknown[] = []
      const models = ['a', 'b'].map(id => {
        const model = scriptedModel(id, id === 'a' ? [] : say('b'), id === 'a' ? { error: failure() } : {})
        return {
          ...model,
          stream: (request: ModelRequest, options: ModelCallOptions) => {
            given.push(options.retry)
            return model.stream(request, options)
          },
        }
      })
      const [first, second] = models
      if (first === undefined || second === undefined) throw new Error('no models')
      const retry = { maxRetries: 7 }
      for await (const event of join(first, second).stream(emptyRequest, { retry })) void event
      expect(given).toEqual([retry, retry])
    }
  })

  it('fallback does not count usage and retry events as visible output', async () => {
    const retry: ModelEvent = { type: 'retry', attempt: 1, delayMs: 5, error: failure().info }
    const first = scriptedModel('a', [retry, { type: 'usage', usage }], { error: failure() })
    const events = await play(fallback(first, scriptedModel('b', say('b'))))
    expect(events.map(event => event.type)).toEqual(['retry', 'usage', 'retry', 'text.delta', 'finish'])
  })

  it('fallback throws the error of the last model', async () => {
    const last = failure('model-server')
    const model = fallback(scriptedModel('a', [], { error: failure() }), scriptedModel('b', [], { error: last }))
    await expect(play(model)).rejects.toBe(last)
  })

  it.each([
    ['a bad key', failure('model-auth')],
    ['a refused request', failure('model-invalid-request')],
    ['a spent quota', failure('model-quota')],
    ['a bug', new TypeError('x')],
  ])('fallback does not call the next model after %s', async (_, error) => {
    const second = scriptedModel('b', say('b'))
    await expect(play(fallback(scriptedModel('a', [], { error }), second))).rejects.toBe(error)
    expect(second.calls).toEqual([])
  })

  it('fallback does not call the next model after visible output, even a signature alone', async () => {
    const error = failure()
    const second = scriptedModel('b', say('b'))
    const signed: ModelEvent = { type: 'text.end', providerData: { provider: 'acme', data: 's' } }
    for (const shown of [say('a').slice(0, 1), [signed]])
      await expect(play(fallback(scriptedModel('a', shown, { error }), second))).rejects.toBe(error)
    expect(second.calls).toEqual([])
  })

  it('fallback stops when the call is cancelled, whatever the model throws', async () => {
    const controller = new AbortController()
    controller.abort('enough')
    const error = failure()
    const second = scriptedModel('b', say('b'))
    const model = fallback(scriptedModel('a', [], { error }), second)
    await expect(play(model, emptyRequest, controller.signal)).rejects.toBe(error)
    expect(second.calls).toEqual([])
  })

  it('fallback ends the answering model when its reader leaves', async () => {
    const second = scriptedModel('b', say('b'))
    for await (const event of fallback(scriptedModel('a', [], { error: failure() }), second).stream(emptyRequest, {}))
      if (event.type === 'text.delta') break
    await new Promise(resolve => setImmediate(resolve))
    expect(second.left()).toBe(1)
  })

  it('fallback ends at once when its reader leaves during a pending pull', async () => {
    let calls = 0
    const silent = scriptedModel('a', [])
    const stuck = { ...silent, stream: () => ({ [Symbol.asyncIterator]: () => ({ next: never, return: never }) }) }
    function never(): Promise<never> {
      calls++
      return new Promise(() => undefined)
    }
    const reader = fallback(stuck, silent).stream(emptyRequest, {})[Symbol.asyncIterator]()
    void reader.next()
    expect(await reader.return?.()).toEqual({ value: undefined, done: true })
    expect(await reader.next()).toEqual({ value: undefined, done: true })
    expect(calls).toBe(2)
  })

  it('fallback never mixes the output of two models', async () => {
    const codes = ['model-overloaded', 'model-auth', 'model-stream', 'model-timeout', 'model-invalid-request'] as const
    const kinds = fc.array(fc.constantFrom('text', 'text.end', 'call', 'usage', 'retry'), { maxLength: 4 })
    const script = fc.record({ kinds, code: fc.option(fc.constantFrom(...codes), { nil: undefined }) })
    const toEvent = (kind: string, id: string): ModelEvent => {
      if (kind === 'text') return { type: 'text.delta', text: id }
      if (kind === 'text.end') return { type: 'text.end', providerData: { provider: id, data: id } }
      if (kind === 'call') return { type: 'tool-call', callId: 'c', name: id, arguments: '{}' }
      if (kind === 'usage') return { type: 'usage', usage }
      return { type: 'retry', attempt: 1, delayMs: 1, error: failure().info }
    }
    const writerOf = (event: ModelEvent): string | undefined => {
      if (event.type === 'text.delta') return event.text
      if (event.type === 'tool-call') return event.name
      return event.type === 'text.end' ? event.providerData?.provider : undefined
    }
    await fc.assert(
      fc.asyncProperty(fc.array(script, { minLength: 1, maxLength: 4 }), async scripts => {
        const [first, ...others] = scripts.map(({ kinds, code }, index) => {
          const events = kinds.map(kind => toEvent(kind, `m${index}`))
          return scriptedModel(`m${index}`, [...events], code === undefined ? {} : { error: failure(code) })
        })
        if (first === undefined) return
        const seen: ModelEvent[] = []
        try {
          for await (const event of fallback(first, ...others).stream(emptyRequest, {})) seen.push(event)
        } catch (error) {
          expect(ParleyError.is(error)).toBe(true)
        }
        const writers = new Set(seen.map(writerOf).filter(writer => writer !== undefined))
        expect(writers.size).toBeLessThanOrEqual(1)
      }),
    )
  })

  it('fallback names its models and returns their joint facts', () => {
    const a = scriptedModel('a', [], { info: { contextWindow: 8, maxOutputTokens: 4 } })
    const b = scriptedModel('b', [], { info: { contextWindow: 6 } })
    expect(fallback(a, b)).toMatchObject({ provider: 'fallback', id: 'acme/a|acme/b', info: { contextWindow: 6 } })
  })
})

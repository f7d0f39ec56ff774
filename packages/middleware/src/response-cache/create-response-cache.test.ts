import { canonicalJson } from '@parley/core'
import { fakeClock } from '@parley/testing'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { callEcho, eventsOf, setup } from '../__fixtures__/set-up-agent.ts'
import { createResponseCache, type ResponseCacheOptions } from './create-response-cache.ts'

function cached(options: ResponseCacheOptions = {}, script: Parameters<typeof setup>[0] = () => 'An answer.') {
  const clock = fakeClock()
  const hits: boolean[] = []
  const cache = createResponseCache({ clock, onLookup: ({ hit }) => hits.push(hit), ...options })
  const given = setup(script, [cache])
  return { ...given, hits, time: clock, asked: () => given.model.requests.length }
}

describe('response cache', () => {
  it('the response cache answers the same request with the same events and without tokens', async () => {
    const { run, asked, hits } = cached({}, (_, index) => ({ reasoning: 'hm', text: `Answer ${index}.` }))
    const [first, second] = [await eventsOf(run()), await eventsOf(run())]
    const deltas = (events: typeof first) =>
      events.flatMap(event => (event.type === 'text.delta' || event.type === 'reasoning.delta' ? [event.text] : []))
    expect(deltas(second)).toEqual(deltas(first))
    expect(second.at(-1)).toMatchObject({ type: 'run.ended', usage: { input: 0, output: 0 } })
    expect([asked(), hits]).toEqual([1, [false, true]])
  })

  it('a cached answer has the cost 0', async () => {
    const pricing = { input: 1, output: 1, source: 'a test', date: '2026-01-01' }
    const { run } = setup(() => 'x', [createResponseCache()], { model: { info: { pricing } } })
    await run().result
    expect((await run().result).cost).toEqual({ usd: 0, pricedAt: '2026-01-01' })
  })

  it('the response cache repeats tool calls, which run again', async () => {
    const { run, asked } = cached({}, request => (request.messages.length === 1 ? callEcho('hi') : 'Done.'))
    await run().result
    const { messages } = await run().result
    expect(messages.map(message => message.role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
    expect(asked()).toBe(2)
  })

  it('the response cache separates requests, scopes and principals', async () => {
    const { runtime, asked } = cached()
    const ask = (input: string, options = {}) => runtime.run('a', input, options).result
    await ask('one')
    await ask('two')
    await ask('one', { scope: 'elsewhere' })
    await ask('one', { principal: { id: 'ann', roles: [] } })
    await ask('one', { principal: { id: 'ben', roles: [] } })
    await ask('one', { principal: { id: 'ben', roles: [] } })
    expect(asked()).toBe(5)
  })

  it('a cached answer expires after ttlMs', async () => {
    const { run, time, asked } = cached({ ttlMs: 1_000 })
    await run().result
    await time.advance(999)
    await run().result
    expect(asked()).toBe(1)
    await time.advance(1)
    await run().result
    expect(asked()).toBe(2)
  })

  it('the response cache stores neither failures nor incomplete answers', async () => {
    const error = { code: 'model-server', provider: 'p', detail: '' } as const
    const { run, asked } = cached({}, [
      { text: 'a', error },
      { text: 'b', finish: 'length' },
      { text: 'c', finish: 'none' },
      'd',
    ])
    for (let call = 0; call < 5; call++) await run().result
    expect(asked()).toBe(4)
  })

  it('the response cache stays within maxBytes and evicts the least recently used answer first', async () => {
    const { runtime, asked } = cached({ maxBytes: 1_000 })
    const ask = (input: string) => runtime.run('a', input).result
    await ask('one')
    await ask('two')
    await ask('one')
    expect(asked()).toBe(2)
    await ask('three')
    await ask('one')
    expect(asked()).toBe(3)
    await ask('two')
    expect(asked()).toBe(4)
  })

  it('the response cache does not store an answer that is larger than maxBytes', async () => {
    const { run, asked } = cached({ maxBytes: 100 })
    await run().result
    await run().result
    expect(asked()).toBe(2)
  })
})

it('canonicalJson returns the same text for equal values only', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      expect(canonicalJson(JSON.parse(JSON.stringify(a)))).toBe(canonicalJson(a))
      expect(JSON.parse(canonicalJson(a))).toEqual(JSON.parse(JSON.stringify(a)))
      expect(canonicalJson({ a, b })).toBe(canonicalJson({ b, a }))
    }),
  )
})

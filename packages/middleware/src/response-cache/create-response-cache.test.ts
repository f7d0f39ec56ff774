import { fakeClock } from '@parley/testing'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { callEcho, eventsOf, setup } from '../__fixtures__/set-up-agent.ts'
import { canonicalJson } from '../json/canonical-json.ts'
import { createResponseCache, type ResponseCacheOptions } from './create-response-cache.ts'

function cached(options: ResponseCacheOptions = {}, script: Parameters<typeof setup>[0] = () => 'An answer.') {
  const clock = fakeClock()
  const hits: boolean[] = []
  const cache = createResponseCache({ clock, onLookup: ({ hit }) => hits.push(hit), ...options })
  const given = setup(script, [cache])
  return { ...given, hits, time: clock, asked: () => given.model.requests.length }
}

describe('response cache', () => {
  it('answers the same request again, with the same events and no tokens', async () => {
    const { run, asked, hits } = cached({}, (_, index) => ({ reasoning: 'hm', text: `Answer ${index}.` }))
    const [first, second] = [await eventsOf(run()), await eventsOf(run())]
    const deltas = (events: typeof first) =>
      events.flatMap(event => (event.type === 'text.delta' || event.type === 'reasoning.delta' ? [event.text] : []))
    expect(deltas(second)).toEqual(deltas(first))
    expect(second.at(-1)).toMatchObject({ type: 'run.ended', usage: { input: 0, output: 0 } })
    expect([asked(), hits]).toEqual([1, [false, true]])
  })

  it('costs nothing the second time, which is known', async () => {
    const pricing = { input: 1, output: 1, source: 'a test', date: '2026-01-01' }
    const { run } = setup(() => 'x', [createResponseCache()], { model: { info: { pricing } } })
    await run().result
    expect((await run().result).cost).toEqual({ usd: 0, pricedAt: '2026-01-01' })
  })

  it('repeats tool calls, which are run again', async () => {
    const { run, asked } = cached({}, request => (request.messages.length === 1 ? callEcho('hi') : 'Done.'))
    await run().result
    const { messages } = await run().result
    expect(messages.map(message => message.role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
    expect(asked()).toBe(2)
  })

  it('asks again for another question, and in another scope or for another principal', async () => {
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

  it('forgets an answer when its time is over', async () => {
    const { run, time, asked } = cached({ ttlMs: 1_000 })
    await run().result
    await time.advance(999)
    await run().result
    expect(asked()).toBe(1)
    await time.advance(1)
    await run().result
    expect(asked()).toBe(2)
  })

  it('keeps no failure and nothing that was cut off', async () => {
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

  it('stays within its size, and forgets first what was not asked for longest', async () => {
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

  it('keeps nothing that is too large alone', async () => {
    const { run, asked } = cached({ maxBytes: 100 })
    await run().result
    await run().result
    expect(asked()).toBe(2)
  })
})

it('canonical JSON is the same for equal values alone', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      expect(canonicalJson(JSON.parse(JSON.stringify(a)))).toBe(canonicalJson(a))
      expect(JSON.parse(canonicalJson(a))).toEqual(JSON.parse(JSON.stringify(a)))
      expect(canonicalJson({ a, b })).toBe(canonicalJson({ b, a }))
    }),
  )
})

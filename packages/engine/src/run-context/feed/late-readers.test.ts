import { defineMiddleware, ZERO_USAGE, type ModelEvent, type RunEvent } from '@parley/core'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createRuntime, defineAgent } from '../../index.ts'
import { eventsOf } from '../../runtime/__fixtures__/set-up-agent.ts'

const piece = fc.record({ type: fc.constantFrom('text.delta', 'reasoning.delta'), text: fc.string({ minLength: 1 }) })

/** What the deltas of a reader say, joined where neighbours have one type. */
function proseOf(events: readonly RunEvent[]): readonly (readonly [string, string])[] {
  const prose: [string, string][] = []
  for (const event of events) {
    if (event.type !== 'text.delta' && event.type !== 'reasoning.delta') continue
    const last = prose.at(-1)
    if (last?.[0] === event.type) last[1] += event.text
    else prose.push([event.type, event.text])
  }
  return prose
}

it('a reader that comes after any piece of an answer receives the answer so far and each later piece once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(piece, { minLength: 1, maxLength: 8 }),
      fc.nat({ max: 8 }),
      fc.boolean(),
      async (pieces, joinAt, isWatched) => {
        const readers: Promise<readonly RunEvent[]>[] = []
        const join = (): void => void readers.push(eventsOf(running))
        const model = {
          provider: 'p',
          id: 'm',
          info: {},
          async *stream(): AsyncGenerator<ModelEvent> {
            for (const [index, each] of pieces.entries()) {
              if (index === joinAt) join()
              yield each as ModelEvent
            }
            if (joinAt >= pieces.length) join()
            yield { type: 'finish', reason: 'stop' }
          },
        }
        const running = createRuntime().run(defineAgent({ name: 'a', model }), 'go')
        const early = isWatched ? eventsOf(running) : undefined
        const result = await running.result
        const late = (await readers[0]) ?? []
        const whole = pieces.map(({ type, text: said }) => ({ type, text: said }) as RunEvent)
        expect(proseOf(late)).toEqual(proseOf(whole))
        if (early !== undefined) expect(proseOf(late)).toEqual(proseOf(await early))
        const types = late.map(event => event.type)
        expect(types.filter(type => type === 'model.started')).toHaveLength(1)
        expect(types.indexOf('model.started')).toBeLessThan(types.indexOf('model.called'))
        expect(
          late.find(event => event.type === 'message.appended' && event.message.role === 'assistant'),
        ).toBeDefined()
        expect('text' in result ? result.text : '').toBe(
          pieces.map(({ type, text: said }) => (type === 'text.delta' ? said : '')).join(''),
        )
      },
    ),
    { numRuns: 200 },
  )
})

it('a reader that a listener opens at any event receives no piece twice', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 4 }), fc.nat({ max: 3 }), async (pieces, at) => {
      let reader: Promise<readonly RunEvent[]> | undefined
      let seen = 0
      const model = {
        provider: 'p',
        id: 'm',
        info: {},
        async *stream(): AsyncGenerator<ModelEvent> {
          for (const each of pieces) {
            yield { type: 'usage', usage: ZERO_USAGE }
            yield each as ModelEvent
          }
          yield { type: 'finish', reason: 'stop' }
        },
      }
      const watching = defineMiddleware('watching', () => ({
        event: event => {
          if (event.type !== 'text.delta' && event.type !== 'reasoning.delta' && event.type !== 'model.usage') return
          if (seen++ === at) reader = eventsOf(running)
        },
      }))
      const running = createRuntime().run(defineAgent({ name: 'a', model, middleware: [watching] }), 'go')
      await running.result
      if (reader === undefined) return
      const whole = pieces.map(({ type, text }) => ({ type, text }) as RunEvent)
      expect(proseOf(await reader)).toEqual(proseOf(whole))
    }),
    { numRuns: 100 },
  )
})

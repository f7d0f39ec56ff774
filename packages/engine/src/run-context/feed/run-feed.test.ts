import type { RunEvent } from '@parley/core'
import { expect, it } from 'vitest'
import { RunFeed } from './run-feed.ts'

function delta(runId: string, text: string): RunEvent {
  return { type: 'text.delta', turn: 1, text, runId, sessionId: 's', path: [], seq: 1, at: 0 }
}

it('a run feed joins deltas for a slow reader, but never deltas of two runs', async () => {
  const outer = new RunFeed({ emit() {} })
  const inner = new RunFeed({ emit() {} }, { outer })
  const reader = outer.read()
  for (let count = 0; count < 1_500; count++) outer.show(delta('outer', 'o'))
  for (let count = 0; count < 3; count++) {
    inner.show(delta('inner', 'i'))
    outer.show(delta('outer', 'p'))
  }
  outer.end()
  const texts = { outer: '', inner: '' }
  let shown = 0
  for (let next = await reader.next(); next.done !== true; next = await reader.next()) {
    shown += 1
    if (next.value.type === 'text.delta') texts[next.value.runId as 'outer' | 'inner'] += next.value.text
  }
  expect(texts).toEqual({ outer: `${'o'.repeat(1_500)}ppp`, inner: 'iii' })
  expect(shown).toBeLessThan(1_100)
})

it('a run feed keeps nothing of a reader that has left, and a run without readers is not watched', async () => {
  const outer = new RunFeed({ emit() {} })
  const inner = new RunFeed({ emit() {} }, { outer })
  const [ofOuter, ofInner] = [outer.read(), inner.read()]
  expect([outer.watched, inner.watched, inner.wants('text.delta')]).toEqual([true, true, true])
  await ofInner.return?.()
  expect([outer.watched, inner.watched]).toEqual([true, true])
  await ofOuter.return?.()
  expect([outer.watched, inner.watched, inner.wants('text.delta')]).toEqual([false, false, false])
})

it('a listener that throws for every event is reported once for each event, and the other listeners receive all', () => {
  const seen: string[] = []
  const feed: RunFeed = new RunFeed({
    emit: event => feed.show({ ...event, runId: 'r', sessionId: 's', path: [], seq: 1, at: 0 }),
  })
  feed.listen({
    name: 'bad',
    event() {
      throw new Error('broken')
    },
  })
  feed.listen({ name: 'good', event: ({ type }) => void seen.push(type) })
  feed.show(delta('r', 'a'))
  feed.show(delta('r', 'b'))
  expect(seen).toEqual(['middleware.failed', 'text.delta', 'middleware.failed', 'text.delta'])
})

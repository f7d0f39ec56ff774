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

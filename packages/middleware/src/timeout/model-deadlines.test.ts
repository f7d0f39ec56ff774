import type { ModelCall, ModelEvent, ModelRequest } from '@parley/core'
import { fakeClock, scriptedModel } from '@parley/testing'
import { expect, it } from 'vitest'
import { modelDeadlines } from './model-deadlines.ts'

it('the idle deadline does not count the time that a slow reader takes', async () => {
  const clock = fakeClock()
  const model = scriptedModel([{ text: 'abc', chunkSize: 1 }])
  // The stage reads only the signal and the model of the call.
  const call = { model, signal: new AbortController().signal } as Partial<ModelCall> as ModelCall
  const next = ({ signal }: ModelCall): AsyncIterable<ModelEvent> => model.stream({} as ModelRequest, { signal })
  let text = ''
  for await (const event of modelDeadlines(clock, { idleMs: 100 })(call, next)) {
    if (event.type === 'text.delta') text += event.text
    await clock.advance(1_000)
  }
  expect(text).toBe('abc')
  expect(clock.pending).toBe(0)
})

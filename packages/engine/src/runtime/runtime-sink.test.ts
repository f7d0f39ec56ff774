import type { RunEvent } from '@parley/core'
import { createEventBus } from '@parley/event-bus'
import { expect, it } from 'vitest'
import { RuntimeSink } from './runtime-sink.ts'

it('a runtime publishes an event only for the run it belongs to', async () => {
  const bus = createEventBus()
  const seen: string[] = []
  bus.subscribe(event => void ('runId' in event && seen.push(event.runId)), { name: 'x' })
  const sink = new RuntimeSink(bus).for({ runId: 'r', sessionId: 's', agent: 'a', scope: 'default', path: [] })
  const event = (runId: string): RunEvent => ({
    v: 1,
    type: 'run.resumed',
    worker: 'w',
    seq: 1,
    at: 0,
    sessionId: 's',
    path: [],
    runId,
  })
  sink.publish(event('r'))
  sink.publish(event('child'))
  await bus.flush()
  expect(seen).toEqual(['r'])
})

import type { BusEvent } from '@parley/core'

const event = {
  v: 1,
  type: 'run.resumed',
  worker: 'w',
  seq: 2,
  runId: 'r1',
  sessionId: 's1',
  path: [],
  at: 0,
} satisfies BusEvent

// #region deliver
import { createEventBus } from '@parley/event-bus'

const bus = createEventBus({ retry: { maxRetries: 2, initialDelayMs: 10 } })
bus.subscribe(event => console.log(event.type), { name: 'log', filter: { types: ['run.resumed'] } })

// A runtime publishes by itself: createRuntime({ bus, resources: [bus] })
bus.publish(event, { agent: 'assistant', scope: 'default' })
await bus.flush() // → run.resumed
console.log((await bus.deadLetters.list()).length) // → 0
await bus.close()
// #endregion

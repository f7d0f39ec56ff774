import { createRuntime, defineAgent } from '@parley/engine'
import { createEventBus } from '@parley/event-bus'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel } from '@parley/testing'

const answers = scriptedModel(({ messages }) => `Answer ${messages.length}.`)

// #region runtime
const store = createMemoryStore()
const bus = createEventBus({ deadLetters: store.deadLetters })
bus.subscribe(event => console.log(event.type), { name: 'audit', filter: { types: ['run.ended'] } })

const runtime = createRuntime({
  store,
  bus,
  models: { fast: answers },
  defaults: { model: 'fast', permissions: [{ tool: 'shell_*', permission: 'ask' }] },
  quota: { maxConcurrentRuns: 10, maxTokensPerTurn: 50_000 },
  agents: [defineAgent({ name: 'assistant' })],
  resources: [store, bus],
})
const { runId, text } = await runtime.invoke('assistant', 'Hello?', { sessionId: 's' })
const fork = await runtime.fork(runId, { at: 1, input: 'Good day?' }) // from the first entry, in the same session
await fork.result
await bus.flush() // → run.ended
// → run.ended
console.log(text, (await runtime.session('s')).map(run => run.relation).join(' ')) // → Answer 1. initial branch
const { exitCode } = await runtime.close({ drainMs: 10_000 })
// #endregion
console.log(exitCode) // → 0

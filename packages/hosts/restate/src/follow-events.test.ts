import { defineTool, type LiveBus, type RunEvent } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel } from '@parley/testing'
import { expect, it } from 'vitest'
import { followEvents } from './follow-events.ts'

const started = async (): Promise<void> => {}

/** A bus whose events the test publishes. */
function handBus() {
  const listeners = new Set<(event: RunEvent) => void>()
  const bus: LiveBus = {
    publish: event => listeners.forEach(listener => listener(event)),
    subscribe: async (_runId, listener) => {
      listeners.add(listener)
      return { [Symbol.asyncDispose]: async () => void listeners.delete(listener) }
    },
    [Symbol.asyncDispose]: async () => {},
  }
  return { bus, listeners }
}

async function finishedRun() {
  const store = createMemoryStore()
  const look = defineTool({ name: 'look', description: 'Works.', input: { type: 'object' }, execute: () => 'seen' })
  const model = scriptedModel([{ toolCalls: [{ name: 'look' }] }, 'Done.'])
  const runtime = createRuntime({ store, agents: [defineAgent({ name: 'a', model, tools: [look] })] })
  const { runId, sessionId } = await runtime.invoke('a', 'go')
  return { runtime, runId, sessionId, entries: await store.read(runId) }
}

it('followEvents yields an ephemeral event after its entry, and drops one whose place has passed', async () => {
  const { runtime, runId, sessionId, entries } = await finishedRun()
  const { bus, listeners } = handBus()
  const delta = (seq: number, text: string): RunEvent => ({
    type: 'text.delta',
    turn: 1,
    text,
    runId,
    sessionId,
    path: [],
    seq,
    at: 0,
  })
  const seen: string[] = []
  for await (const event of followEvents(runtime, { runId, scope: 'default', live: bus, started })) {
    if (event.type === 'run.started') for (const seq of [0, 3, entries.length + 5]) bus.publish(delta(seq, `at ${seq}`))
    seen.push(event.type === 'text.delta' ? event.text : String(event.seq))
  }
  const numbers = entries.map(({ seq }) => String(seq))
  expect(seen.filter(text => !text.startsWith('at'))).toEqual(numbers)
  expect(seen).not.toContain('at 0')
  expect(seen).not.toContain(`at ${entries.length + 5}`)
  expect(listeners.size).toBe(0)
})

it('followEvents starts after afterSeq, and unsubscribes from the bus when the reader leaves', async () => {
  const { runtime, runId, entries } = await finishedRun()
  const { bus, listeners } = handBus()
  for await (const event of followEvents(runtime, { runId, scope: 'default', live: bus, started }, { afterSeq: 2 })) {
    expect(event.seq).toBe(3)
    break
  }
  await left(listeners)
  const rest: RunEvent[] = []
  for await (const event of followEvents(
    runtime,
    { runId, scope: 'default', live: undefined, started },
    { afterSeq: 2 },
  )) {
    rest.push(event)
  }
  expect(rest).toHaveLength(entries.length - 2)
})

it('followEvents rejects with run-unknown if no run has the id', async () => {
  const { runtime } = await finishedRun()
  const events = followEvents(runtime, { runId: 'nope', scope: 'default', live: undefined, started })
  const reader = events[Symbol.asyncIterator]()
  await expect(reader.next()).rejects.toMatchObject({ info: { code: 'run-unknown' } })
})

it('followEvents ends at once when a reader leaves before the run has started', async () => {
  const { runtime, runId } = await finishedRun()
  const { bus, listeners } = handBus()
  const asked = Promise.withResolvers<void>()
  const never = (signal: AbortSignal): Promise<void> =>
    new Promise(resolve => {
      signal.addEventListener('abort', () => resolve())
      asked.resolve()
    })
  const reader = followEvents(runtime, { runId, scope: 'default', live: bus, started: never })[Symbol.asyncIterator]()
  const pending = reader.next()
  await asked.promise
  await reader.return?.()
  expect(await pending).toMatchObject({ done: true })
  await left(listeners)
})

/** Resolves when the last listener has left. */
async function left(listeners: ReadonlySet<unknown>): Promise<void> {
  while (listeners.size > 0) {
    await new Promise(resolve => {
      setImmediate(resolve)
    })
  }
}

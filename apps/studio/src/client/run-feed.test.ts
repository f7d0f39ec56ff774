import type { RunEvent } from '@parley/core'
import type { EntryPage, RunsClient } from '@parley/runs-api'
import { expect, test, vi } from 'vitest'
import { entriesOf, fields } from '../__fixtures__/entries.ts'
import { openRunFeed } from './run-feed.ts'

const place = { runId: 'r', sessionId: 's', path: [] }
const entries = entriesOf(fields('run.started', 1), fields('run.resumed', 2), fields('run.ended', 3))
const event = (given: object): RunEvent => ({ ...place, at: 1, ...given }) as unknown as RunEvent

/** A server that has two entries and then sends events. */
function clientOf(events: readonly RunEvent[]): Pick<RunsClient, 'entries' | 'events'> {
  return {
    entries: async (_, { after = 0 } = {}): Promise<EntryPage> =>
      after === 0 ? { entries: entries.slice(0, 1), seq: 2, next: 1 } : { entries: entries.slice(1, 2), seq: 2 },
    async *events(_, { onState } = {}) {
      onState?.('open')
      yield* events
    },
  }
}

test('a feed reads all pages, then follows, and has no entry twice', async () => {
  const feed = openRunFeed(clientOf([event(entries[1] ?? {}), event(entries[2] ?? {})]), 'r')
  await vi.waitUntil(() => feed.state().phase === 'ended', 30_000)
  expect(feed.state().entries.map(entry => entry.seq)).toEqual([1, 2, 3])
  feed.close()
})

test('an answer that is being written is shown until its message is durable', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const client = clientOf([])
  const message = { role: 'assistant', content: [] }
  const feed = openRunFeed(
    {
      ...client,
      async *events() {
        yield event({ type: 'model.started', turn: 1, seq: 2, model: 'm' })
        yield event({ type: 'text.delta', turn: 1, seq: 2, text: 'Good ' })
        yield event({ type: 'text.delta', turn: 1, seq: 2, text: 'day' })
        yield event({ type: 'tool-call.start', turn: 1, seq: 2, callId: 'c', name: 'search' })
        yield event({ type: 'tool-call.delta', turn: 1, seq: 2, callId: 'c', delta: '{}' })
        await promise
        yield event({ v: 1, type: 'message.appended', seq: 3, source: 'model', message })
      },
    },
    'r',
  )
  await vi.waitUntil(() => feed.state().live?.calls[0]?.arguments === '{}', 30_000)
  expect(feed.state().live?.text).toBe('Good day')
  resolve()
  await vi.waitUntil(() => feed.state().phase === 'ended', 30_000)
  expect(feed.state().live).toBeUndefined()
  feed.close()
})

test('a feed whose run is unknown says so', async () => {
  const feed = openRunFeed({ ...clientOf([]), entries: () => Promise.reject(new Error('no such run')) }, 'r')
  await vi.waitUntil(() => feed.state().phase === 'failed', 30_000)
  expect(feed.state().error).toEqual(new Error('no such run'))
  feed.close()
})

test('a picture of a feed does not change while the run continues', async () => {
  const feed = openRunFeed(clientOf([event(entries[2] ?? {})]), 'r')
  await vi.waitUntil(() => feed.state().entries.length >= 1, 30_000)
  const { entries: first } = feed.state()
  const count = first.length
  await vi.waitUntil(() => feed.state().phase === 'ended', 30_000)
  expect(first).toHaveLength(count)
  feed.close()
})

import { afterEach, expect, it, vi } from 'vitest'
import { createInboxWatch } from './create-inbox-watch.ts'

afterEach(() => {
  vi.useRealTimers()
})

it('createInboxWatch reads the inboxes if the check for changes throws', async () => {
  vi.useFakeTimers()
  const { watch } = createInboxWatch({
    unread: async () => ['r'],
    everyMs: 10,
    mayHaveChanged: () => {
      throw new Error('the database is closed')
    },
  })
  const told: string[] = []
  await using _watching = await watch(runId => told.push(runId))
  await vi.advanceTimersByTimeAsync(10)
  expect(told).toEqual(['r'])
})

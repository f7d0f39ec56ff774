import { ServerResponse } from 'node:http'
import { createMemoryStore } from '@parley/memory-store'
import { expect, it, vi } from 'vitest'
import { openTestServer } from '../__fixtures__/open-test-server.ts'
import { ask } from '../__fixtures__/sse.ts'

const request = { method: 'POST', body: JSON.stringify(ask()) }

it('the server writes the headers of a stream together with its first events', async () => {
  await using server = await openTestServer({ script: () => 'Hello.' })
  const flush = vi.spyOn(ServerResponse.prototype, 'flushHeaders')
  try {
    const response = await fetch(`${server.url}/process`, request)
    expect(await response.text()).toContain('Hello.')
    expect(flush).not.toHaveBeenCalled()
  } finally {
    flush.mockRestore()
  }
})

it('the server sends the headers of a stream while its store has not stored the first entry', async () => {
  const stored = Promise.withResolvers<void>()
  const memory = createMemoryStore()
  const store = {
    ...memory,
    append: (append: Parameters<typeof memory.append>[0]) => stored.promise.then(() => memory.append(append)),
  }
  await using server = await openTestServer({ script: () => 'Hello.', store })
  const response = await fetch(`${server.url}/process`, request)
  expect(response.status).toBe(200)
  stored.resolve()
  expect(await response.text()).toContain('Hello.')
})

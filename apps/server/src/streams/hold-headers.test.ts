import { ServerResponse } from 'node:http'
import { expect, it, vi } from 'vitest'
import { openTestServer } from '../__fixtures__/open-test-server.ts'
import { ask } from '../__fixtures__/sse.ts'

const body = JSON.stringify({ model: 'guide', stream: true, messages: [{ role: 'user', content: 'hello' }] })

it('the server writes the headers of a stream together with its first events', async () => {
  await using server = await openTestServer({ script: () => 'Hello.' })
  const flush = vi.spyOn(ServerResponse.prototype, 'flushHeaders')
  try {
    const response = await fetch(`${server.url}/process`, { method: 'POST', body: JSON.stringify(ask()) })
    expect(await response.text()).toContain('Hello.')
    expect(flush).not.toHaveBeenCalled()
  } finally {
    flush.mockRestore()
  }
})

it('the server sends the headers of a stream whose run has no event yet', async () => {
  const until = Promise.withResolvers<void>()
  await using server = await openTestServer({ script: () => ({ text: 'Hello.', until: until.promise }) })
  const response = await fetch(`${server.url}/v1/chat/completions`, { method: 'POST', body })
  expect(response.status).toBe(200)
  until.resolve()
  expect(await response.text()).toContain('Hello.')
})

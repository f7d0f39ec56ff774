import { describe, expect, it } from 'vitest'
import { createTestApp } from './__fixtures__/open-test-server.ts'
import { problemOf } from './__fixtures__/problem-of.ts'
import { ask } from './__fixtures__/sse.ts'

describe('web pages', () => {
  const page = { origin: 'https://page.example', host: '127.0.0.1' }

  it('the server rejects requests from web pages of other origins', async () => {
    const { send } = createTestApp()
    expect(await problemOf(await send('/process', { json: ask(), headers: page }))).toBe('403 PERMISSION_DENIED')
    expect((await send('/process', { method: 'OPTIONS', headers: page })).status).toBe(403)
    expect((await send('/sessions', { headers: { ...page, origin: 'http://127.0.0.1' } })).status).toBe(200)
  })

  it('the server sends CORS headers to web pages of an allowed origin', async () => {
    const { send } = createTestApp({ corsOrigins: ['https://page.example'] })
    const preflight = await send('/process', { method: 'OPTIONS', headers: page })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-headers')).toContain('authorization')
    const answer = await send('/process', { json: ask(), headers: page })
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://page.example')
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
  })

  it('the server rejects a request whose Host header is not in hosts', async () => {
    const { send } = createTestApp({ hosts: ['127.0.0.1'] })
    const headers = { host: 'rebound.example' }
    expect(await problemOf(await send('/sessions', { headers }))).toBe('403 PERMISSION_DENIED')
  })
})

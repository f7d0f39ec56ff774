import { expect, it } from 'vitest'
import { toolSet } from '../__fixtures__/tool-set.ts'
import { createServedTools } from './served-tools.ts'
import { createHttpSessions, type HttpSessions } from './http-sessions.ts'
import { createSdkServer } from './sdk-server.ts'
import { guardOf } from './served-parts.ts'

function openSessions(maxSessions: number): HttpSessions {
  const { signal } = new AbortController()
  const served = createServedTools({
    server: 's',
    tools: toolSet,
    approve: undefined,
    toolTimeoutMs: 60_000,
    onFailure: () => {},
    signal,
  })
  const offered = { served, prompts: [], resources: [], guard: guardOf(() => {}), signal }
  return createHttpSessions({ maxSessions, makeServer: () => createSdkServer({ name: 's', version: '1', ...offered }) })
}

function post(sessions: HttpSessions, message: object, session?: string): Promise<Response> {
  const headers = new Headers({ 'content-type': 'application/json', accept: 'application/json, text/event-stream' })
  if (session !== undefined) headers.set('mcp-session-id', session)
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...message })
  return sessions.respond(new Request('http://127.0.0.1/mcp', { method: 'POST', headers, body }))
}

const clientInfo = { name: 'c', version: '1' }
const hello = { method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } }
const list = { method: 'tools/list', params: {} }

async function begin(sessions: HttpSessions): Promise<string> {
  const response = await post(sessions, hello)
  await response.text()
  return response.headers.get('mcp-session-id') ?? expect.fail('no session')
}

it('a session starts with a handshake and ends with a DELETE request', async () => {
  const sessions = openSessions(10)
  const id = await begin(sessions)
  expect(await (await post(sessions, list, id)).text()).toContain('"add"')
  const headers = { 'mcp-session-id': id }
  const request = new Request('http://127.0.0.1/mcp', { method: 'DELETE', headers })
  expect((await sessions.respond(request)).status).toBe(200)
  expect((await post(sessions, list, id)).status).toBe(404)
  await sessions.close()
})

it('a request without a session is refused', async () => {
  const sessions = openSessions(10)
  expect((await post(sessions, list)).status).toBe(400)
  expect((await post(sessions, list, 'invented')).status).toBe(404)
  await sessions.close()
})

it('a new session ends the one that was used longest ago', async () => {
  const sessions = openSessions(2)
  const [first, second] = [await begin(sessions), await begin(sessions)]
  await (await post(sessions, list, first)).text()
  const third = await begin(sessions)
  const statuses = [first, second, third].map(async id => (await post(sessions, list, id)).status)
  expect(await Promise.all(statuses)).toEqual([200, 404, 200])
  await sessions.close()
  expect((await post(sessions, list, first)).status).toBe(404)
})

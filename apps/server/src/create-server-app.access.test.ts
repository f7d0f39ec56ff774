import { createMcpServer } from '@parley/mcp'
import type { Script } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { createTestApp } from './__fixtures__/open-test-server.ts'
import { problemOf } from './__fixtures__/problem-of.ts'
import { ask, eventsOf, readUntil } from './__fixtures__/sse.ts'
import { tools } from './__fixtures__/tools.ts'
import { hashApiKey } from './access/api-key.ts'

const hang: Script = [{ text: 'The quick brown fox', hang: true }]
const paying: Script = [{ toolCalls: [{ name: 'pay', input: { sum: 3 } }] }, 'Paid.']

const KEY_A = 'a-long-enough-key-of-a'
const KEY_B = 'a-long-enough-key-of-b'
const keys = [
  { name: 'a', hash: hashApiKey(KEY_A) },
  { name: 'b', hash: hashApiKey(KEY_B) },
]
const as = (key: string) => ({ authorization: `Bearer ${key}` })

describe('a server with keys', () => {
  it.each([
    ['no key', {}],
    ['a wrong key', as('no')],
    ['the hash of a key', as(hashApiKey(KEY_A))],
  ])('a server with keys rejects a request with %s and still answers /health', async (_, headers) => {
    const { send } = createTestApp({ keys })
    const refused = await send('/sessions', { headers })
    expect(refused.headers.get('www-authenticate')).toBe('Bearer')
    expect(await problemOf(refused)).toBe('401 UNAUTHORIZED')
    expect((await send('/health')).status).toBe(200)
  })

  it('a server accepts a key in the authorization header and in x-api-key', async () => {
    const { send } = createTestApp({ keys })
    expect((await send('/sessions', { headers: as(KEY_A) })).status).toBe(200)
    expect((await send('/sessions', { headers: { 'x-api-key': KEY_B } })).status).toBe(200)
  })

  it('a client receives 404 for the runs, sessions and approvals of another scope', async () => {
    const { send, store } = createTestApp({ keys, script: paying })
    const json = ask('go', { session_id: 'talk', id: 'mine' })
    await (await send('/process', { json, headers: as(KEY_A) })).text()
    const [record] = await store.runs({ scope: 'a' })
    const ids = ['mine', `response_${record?.runId}`, `${record?.runId}`, `resp_${record?.runId}`]
    const paths = ids.flatMap(id => [`/process/${id}`, `/process/${id}/events`, `/process/${id}/approvals`])
    for (const path of [...paths, '/sessions/talk', `/v1/responses/resp_${record?.runId}`]) {
      expect(await problemOf(await send(path, { headers: as(KEY_B) }))).toBe('404 RESOURCE_NOT_FOUND')
      expect((await send(path, { headers: as(KEY_A) })).status).toBe(200)
    }
    for (const id of ids) {
      const cancelled = await send(`/process/${id}/cancel`, { json: {}, headers: as(KEY_B) })
      expect(await problemOf(cancelled)).toBe('404 RESOURCE_NOT_FOUND')
    }
    const { data } = (await (await send('/process/mine/approvals', { headers: as(KEY_A) })).json()) as {
      data: { approvalId: string }[]
    }
    const answer = {
      type: 'mcp_approval_response',
      content: [{ type: 'data', data: { approval_request_id: data[0]?.approvalId, approve: true } }],
    }
    const foreign = await send('/process', { json: { input: [answer], session_id: 'talk' }, headers: as(KEY_B) })
    expect(eventsOf(await foreign.text()).at(-1)).toMatchObject({ error: { code: 'RESOURCE_NOT_FOUND' } })
    expect((await store.run(record?.runId ?? ''))?.status).toBe('suspended')
  })

  it('a client decides about its own runs and cancels them', async () => {
    const { send } = createTestApp({ keys, script: [...paying, ...paying] })
    const headers = as(KEY_A)
    const pay = async (id: string): Promise<string> => {
      await (await send('/process', { json: ask('go', { id }), headers })).text()
      const { data } = (await (await send(`/process/${id}/approvals`, { headers })).json()) as {
        data: { approvalId: string }[]
      }
      return `/process/${id}/approvals/${data[0]?.approvalId}`
    }
    const decided = await send(await pay('one'), { json: { approve: true, stream: false }, headers })
    expect(JSON.stringify(await decided.json())).toContain('Paid.')
    await pay('two')
    const cancelled = await send('/process/two/cancel', { json: {}, headers })
    expect(await cancelled.json()).toMatchObject({ status: 'canceled' })
  })

  it('the name of a key becomes the scope and the principal of its runs', async () => {
    const { send, store } = createTestApp({ keys })
    await (await send('/process', { json: ask(), headers: as(KEY_A) })).text()
    const [record] = await store.runs({ scope: 'a' })
    const [started] = await store.read(record?.runId ?? '')
    expect(started).toMatchObject({ principal: { id: 'a' }, scope: 'a' })
  })

  it('createServerApp rejects an invalid key hash', () => {
    expect(() => createTestApp({ keys: [{ name: 'a', hash: 'plain key' }] })).toThrow(/keys\.0\.hash/)
  })
})

describe('limits', () => {
  it('requestsPerMinute limits each key separately', async () => {
    const { send } = createTestApp({ keys, limits: { requestsPerMinute: 2 } })
    const statuses: number[] = []
    for (const key of [KEY_A, KEY_A, KEY_A, KEY_B])
      statuses.push((await send('/sessions', { headers: as(key) })).status)
    expect(statuses).toEqual([200, 200, 429, 200])
  })

  it('maxRuns limits all concurrent runs and maxRunsPerScope those of one scope', async () => {
    const { send } = createTestApp({ keys, script: hang, limits: { maxRuns: 2, maxRunsPerScope: 1 } })
    const start = (key: string, id: string): Promise<Response> =>
      send('/process', { json: ask('go', { id }), headers: as(key) })
    expect((await start(KEY_A, 'one')).status).toBe(200)
    expect(await problemOf(await start(KEY_A, 'two'))).toBe('429 RATE_LIMIT_EXCEEDED')
    const { send: other } = createTestApp({ script: hang, limits: { maxRuns: 1 } })
    await readUntil(await other('/process', { json: ask('go', { id: 'one' }) }), '"delta":true')
    const refused = await other('/process', { json: ask() })
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(await problemOf(refused)).toBe('503 SERVICE_UNAVAILABLE')
    await other('/process/one/cancel', { json: {} })
    await send('/process/one/cancel', { json: {}, headers: as(KEY_A) })
  })

  it('maxRuns also limits the runs that a decision resumes and those that branch off', async () => {
    const script: Script = ['One.', 'Two.', ...paying.slice(0, 1), ...hang, 'Never asked.']
    const { send } = createTestApp({ script, limits: { maxRuns: 1 } })
    const respond = async (more: object) => send('/v1/responses', { json: { input: 'go', ...more } })
    const { id } = (await (await respond({})).json()) as { id: string }
    await respond({ previous_response_id: id })
    await (await send('/process', { json: ask('go', { id: 'mine' }) })).text()
    const { data } = (await (await send('/process/mine/approvals')).json()) as { data: { approvalId: string }[] }
    await readUntil(await send('/process', { json: ask('go', { id: 'long' }) }), '"delta":true')
    const decided = await send(`/process/mine/approvals/${data[0]?.approvalId}`, { json: { approve: true } })
    expect(await problemOf(decided)).toBe('503 SERVICE_UNAVAILABLE')
    expect(await problemOf(await respond({ previous_response_id: id }))).toBe('503 SERVICE_UNAVAILABLE')
    await send('/process/long/cancel', { json: {} })
  })

  it('createServerApp rejects a limit of zero', () => {
    expect(() => createTestApp({ limits: { maxRuns: 0 } })).toThrow(/limits\.maxRuns/)
  })
})

describe('an MCP server behind the server', () => {
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  }
  const accept = 'application/json, text/event-stream'

  it('the MCP route requires a key and limits the size of the body', async () => {
    await using mcp = createMcpServer({ name: 'tools', version: '1', tools })
    const { send } = createTestApp({ keys, mcp, limits: { maxBodyBytes: 1_000 } })
    expect((await send('/mcp', { json: initialize })).status).toBe(401)
    const headers = { ...as(KEY_A), accept, 'content-type': 'application/json' }
    expect(await (await send('/mcp', { json: initialize, headers })).text()).toContain('"name":"tools"')
    const large = await send('/mcp', { json: { ...initialize, id: 'x'.repeat(2_000) }, headers })
    expect(await problemOf(large)).toBe('413 PAYLOAD_TOO_LARGE')
  })

  it('the MCP route answers 404 if the mcp option is missing', async () => {
    const { send } = createTestApp()
    expect((await send('/mcp', { json: initialize })).status).toBe(404)
  })
})

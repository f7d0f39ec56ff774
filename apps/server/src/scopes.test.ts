import { fakeClock } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { hashApiKey } from './access/api-key.ts'
import { everyRoute } from './__fixtures__/every-route.ts'
import { createTestApp } from './__fixtures__/open-test-server.ts'
import { problemOf } from './__fixtures__/problem-of.ts'
import { ask } from './__fixtures__/sse.ts'

const NAMES = ['alice', 'bob', 'carol'] as const
const key = (name: string): string => `key-of-${name}`
const as = (name: string) => ({ authorization: `Bearer ${key(name)}` })
const keys = NAMES.map(name => ({ name, hash: hashApiKey(key(name)) }))

/** Routes that belong to no client: they start something new, or show the same to everyone. */
const OPEN =
  /^(POST \/(process|v1\/chat\/completions|ag-ui.*|api\/chat.*)|GET \/(sessions|v1\/models.*|openapi\.json|health|readyz|livez))$/

/** An AI SDK chat that has no running answer is answered with 204, whether it exists or not. */
const NOTHING: Readonly<Record<string, string>> = { 'GET /api/chat/{id}/stream': '204' }

const pairs = NAMES.flatMap(owner => NAMES.filter(name => name !== owner).map(other => [owner, other] as const))

/** A server on which `owner` has a run that is suspended for approval, and a run that has ended. */
async function openScene(owner: string) {
  const script = [{ toolCalls: [{ name: 'pay' }] }, 'The secret answer.', ...Array.from({ length: 20 }, () => 'New.')]
  const given = createTestApp({ keys, script, clock: fakeClock() })
  await (await given.send('/process', { json: ask('go', { session_id: 'talk' }), headers: as(owner) })).text()
  const [record] = await given.store.runs({ scope: owner })
  const runId = record?.runId ?? ''
  const listed = await given.send(`/process/${runId}/approvals`, { headers: as(owner) })
  const { data } = (await listed.json()) as { data: { approvalId: string }[] }
  return { ...given, ids: { runId, sessionId: 'talk', approvalId: data[0]?.approvalId ?? '' } }
}

describe('the scopes of keys', () => {
  it.each(pairs)('what %s owns is unknown to %s, on every route', async (owner, other) => {
    const { send, store, ids } = await openScene(owner)
    const before = await store.read(ids.runId)
    for (const { name, path, init } of everyRoute(ids)) {
      const response = await send(path, { ...init, headers: as(other) })
      const text = await response.clone().text()
      expect([name, text.includes(ids.runId), text.includes(ids.approvalId)]).toEqual([name, false, false])
      const isNew = name === 'POST /v1/responses' && init.json !== undefined && !('previous_response_id' in init.json)
      if (!OPEN.test(name) && !isNew)
        expect([name, text === '' ? String(response.status) : await problemOf(response)]).toEqual([
          name,
          NOTHING[name] ?? '404 RESOURCE_NOT_FOUND',
        ])
    }
    expect(await store.read(ids.runId)).toEqual(before)
    expect((await send(`/sessions/talk`, { headers: as(owner) })).status).toBe(200)
  })

  it('every route that belongs to a client works with the key of its owner', async () => {
    const { send, ids } = await openScene('alice')
    for (const { name, path, init } of everyRoute(ids)) {
      if (OPEN.test(name)) continue
      const response = await send(path, { ...init, headers: as('alice') })
      await response.text()
      expect([name, response.status]).not.toEqual([name, 404])
    }
  })

  it('the running answer of an AI SDK chat is streamed only to the key that owns it', async () => {
    const { send, store, app } = createTestApp({ keys, script: [{ hang: true }] })
    const json = { id: 'c1', messages: [{ id: 'q', role: 'user', parts: [{ type: 'text', text: 'go' }] }] }
    await send('/api/chat', { json, headers: as('alice') })
    expect((await store.runs({ scope: 'alice', status: 'running' })).length).toBe(1)
    expect((await send('/api/chat/c1/stream', { headers: as('bob') })).status).toBe(204)
    const mine = await send('/api/chat/c1/stream', { headers: as('alice') })
    expect(mine.status).toBe(200)
    await mine.body?.cancel()
    expect(app.runs).toBe(1)
  })

  it('a session id, a thread id or a response id of another key starts something new, and joins nothing', async () => {
    const { send, store, ids } = await openScene('alice')
    const message = { id: 'q', role: 'user', content: 'go' }
    const uses: readonly (readonly [path: string, json: object])[] = [
      ['/process', ask('go', { session_id: ids.sessionId, id: `response_${ids.runId}`, stream: false })],
      ['/ag-ui', { threadId: ids.sessionId, runId: 'r', messages: [message] }],
      ['/v1/responses', { input: 'go', conversation: ids.sessionId }],
    ]
    for (const [path, json] of uses) {
      const response = await send(path, { json, headers: as('bob') })
      await response.text()
      expect([path, response.status]).toEqual([path, 200])
    }
    expect(await store.runs({ scope: 'alice' })).toHaveLength(1)
    const [mine] = await store.runs({ scope: 'bob' })
    expect(mine?.runId).not.toBe(ids.runId)
  })

  it('no route but the health checks answers without a key', async () => {
    const { send, ids } = await openScene('alice')
    for (const { name, path, init } of everyRoute(ids)) {
      const isOpen = /health|readyz|livez/.test(name)
      for (const headers of [{}, { authorization: 'Bearer key-of-mallory' }, { 'x-api-key': 'key-of-mallory' }])
        expect([name, (await send(path, { ...init, headers })).status]).toEqual([name, isOpen ? 200 : 401])
    }
  })

  it('one key cannot take all places of a server with several keys', async () => {
    const hang = Array.from({ length: 10 }, () => ({ hang: true as const }))
    const { send, app } = createTestApp({ keys, script: hang, limits: { maxRuns: 4 } })
    const begin = (name: string) => send('/process', { json: ask('go', { background: true }), headers: as(name) })
    const statuses = []
    for (const name of ['alice', 'alice', 'alice', 'bob', 'bob', 'carol']) statuses.push((await begin(name)).status)
    expect(statuses).toEqual([202, 202, 429, 202, 202, 503])
    expect(app.runs).toBe(4)
  })

  it('the only key of a server may take all places', async () => {
    const hang = Array.from({ length: 10 }, () => ({ hang: true as const }))
    const { send } = createTestApp({ keys: keys.slice(0, 1), script: hang, limits: { maxRuns: 2 } })
    const begin = () => send('/process', { json: ask('go', { background: true }), headers: as('alice') })
    expect([(await begin()).status, (await begin()).status, (await begin()).status]).toEqual([202, 202, 503])
  })

  it('a session of an MCP client is unknown to every other key', async () => {
    const fetch = () => Promise.resolve(new Response('{}', { headers: { 'mcp-session-id': 'session-1' } }))
    const { send } = createTestApp({ keys, mcp: { fetch } })
    const use = (name: string, session?: string) =>
      send('/mcp', {
        json: {},
        headers: { ...as(name), ...(session === undefined ? {} : { 'mcp-session-id': session }) },
      })
    expect((await use('alice')).status).toBe(200)
    expect((await use('alice', 'session-1')).status).toBe(200)
    expect(await problemOf(await use('bob', 'session-1'))).toBe('404 RESOURCE_NOT_FOUND')
  })
})

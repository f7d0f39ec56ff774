import { defineTool } from '@parley/core'
import { fakeClock } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { hashApiKey } from './access/api-key.ts'
import { everyRoute, type RouteIds } from './__fixtures__/every-route.ts'
import { createTestApp } from './__fixtures__/open-test-server.ts'
import { problemOf } from './__fixtures__/problem-of.ts'
import { ask } from './__fixtures__/sse.ts'

const NAMES = ['alice', 'bob', 'carol'] as const
const key = (name: string): string => `key-of-${name}`
const as = (name: string) => ({ authorization: `Bearer ${key(name)}` })
const keys = NAMES.map(name => ({ name, hash: hashApiKey(key(name)), access: 'admin' as const }))

/** Routes that belong to no client: they start something new, or show the same to everyone. */
const OPEN =
  /^(POST \/(process|v1\/chat\/completions|ag-ui.*|api\/chat.*|runs)|GET \/(sessions|v1\/models.*|openapi\.json|health|readyz|livez|runs|runs-api.*|agents|tools|workflows|usage|workers|approvals|dead-letters|unknown-calls))$/

/** Routes of what the scene does not have: a kept request, a dead letter, an unknown call, a second approval. */
const ABSENT = /\/requests\/|^POST \/(dead-letters|unknown-calls|approvals)\//

/** An AI SDK chat that has no running answer is answered with 204, and one without messages with none, whether it exists or not. */
const NOTHING: Readonly<Record<string, string>> = {
  'GET /api/chat/{id}/stream': '204',
  'GET /api/chat/{agent}/{id}/stream': '204',
  'GET /api/chat/{id}/messages': '200 []',
  'GET /api/chat/{agent}/{id}/messages': '200 []',
}

/** Requests whose body decides about an approval. */
const DECISIONS: readonly (readonly [path: string, bodyOf: (ids: RouteIds) => object])[] = [
  [
    '/process',
    ({ approvalId, sessionId }) => {
      const data = { approval_request_id: approvalId, approve: true }
      const content = [{ type: 'data', data }]
      return { input: [{ type: 'mcp_approval_response', role: 'user', content }], session_id: sessionId }
    },
  ],
  [
    '/v1/responses',
    ({ approvalId, runId }) => ({
      input: [{ type: 'mcp_approval_response', approval_request_id: approvalId, approve: true }],
      previous_response_id: `resp_${runId}`,
    }),
  ],
  [
    '/ag-ui',
    ({ approvalId, sessionId }) => ({
      threadId: sessionId,
      runId: 'r',
      messages: [],
      resume: [{ interruptId: approvalId, status: 'resolved', payload: { approved: true } }],
    }),
  ],
  [
    '/api/chat',
    ({ approvalId, sessionId }) => {
      const approval = { id: approvalId, approved: true }
      const part = {
        type: 'dynamic-tool',
        toolName: 'pay',
        toolCallId: 'c',
        input: {},
        state: 'approval-responded',
        approval,
      }
      const question = { id: 'q', role: 'user', parts: [{ type: 'text', text: 'go' }] }
      return { id: sessionId, messages: [question, { id: 'a', role: 'assistant', parts: [part] }] }
    },
  ],
]

const pairs = NAMES.flatMap(owner => NAMES.filter(name => name !== owner).map(other => [owner, other] as const))

/** A server on which `owner` has a run that is suspended for approval, and a run that has ended. */
async function openScene(owner: string, fields: object = {}) {
  const script = [{ toolCalls: [{ name: 'pay' }] }, 'The secret answer.', ...Array.from({ length: 20 }, () => 'New.')]
  const given = createTestApp({ keys, script, clock: fakeClock() })
  await (
    await given.send('/process', { json: ask('go', { session_id: 'talk', ...fields }), headers: as(owner) })
  ).text()
  const [record] = await given.store.runs({ scope: owner })
  const runId = record?.runId ?? ''
  const listed = await given.send(`/process/${runId}/approvals`, { headers: as(owner) })
  const { data } = (await listed.json()) as { data: { approvalId: string }[] }
  return { ...given, ids: { runId, sessionId: 'talk', approvalId: data[0]?.approvalId ?? '' } }
}

/** The status, and what the body says. */
async function answerOf(response: Response): Promise<string> {
  if (response.status >= 400) return problemOf(response)
  return `${response.status} ${await response.text()}`.trim()
}

describe('the scopes of keys', () => {
  it.each(pairs)('what %s owns is unknown to %s, on every route', async (owner, other) => {
    const { send, store, ids } = await openScene(owner)
    const before = await store.read(ids.runId)
    for (const { name, path, init } of everyRoute(ids)) {
      const response = await send(path, { ...init, headers: as(other) })
      const text = await response.clone().text()
      // An answer may repeat the id that the request gave.
      const hasApproval = text.includes(ids.approvalId) && !name.startsWith('POST /approvals/')
      expect([name, text.includes(ids.runId), hasApproval]).toEqual([name, false, false])
      const isNew = name === 'POST /v1/responses' && init.json !== undefined && !('previous_response_id' in init.json)
      if (!OPEN.test(name) && !isNew)
        expect([name, await answerOf(response)]).toEqual([name, NOTHING[name] ?? '404 RESOURCE_NOT_FOUND'])
    }
    expect(await store.read(ids.runId)).toEqual(before)
    expect((await send(`/sessions/talk`, { headers: as(owner) })).status).toBe(200)
  })

  it('a response id that one key chose is unknown to another key, on every route', async () => {
    const { send, ids, store } = await openScene('alice', { id: 'mine' })
    const before = await store.read(ids.runId)
    const routes = everyRoute({ ...ids, runId: 'mine' }).map(({ path, ...route }) => ({
      ...route,
      path: path.replace('resp_mine', 'mine'),
    }))
    for (const { name, path, init } of routes) {
      if (!path.includes('mine')) continue
      const response = await send(path, { ...init, headers: as('bob') })
      expect([name, await problemOf(response)]).toEqual([name, '404 RESOURCE_NOT_FOUND'])
    }
    expect(await store.read(ids.runId)).toEqual(before)
    expect((await send('/process/mine', { headers: as('alice') })).status).toBe(200)
    await (await send('/process', { json: ask('go', { id: 'mine' }), headers: as('bob') })).text()
    expect(await (await send('/process/mine', { headers: as('bob') })).text()).not.toContain(ids.approvalId)
  })

  it.each(DECISIONS)('a decision in a body of %s reaches only the runs of its key', async (path, bodyOf) => {
    const { send, ids, store } = await openScene('alice')
    const json = bodyOf(ids)
    const before = await store.read(ids.runId)
    const refused = await (await send(path, { json, headers: as('bob') })).text()
    expect([refused.includes(ids.runId), await store.read(ids.runId)]).toEqual([false, before])
    await (await send(path, { json, headers: as('alice') })).text()
    expect((await store.run(ids.runId))?.status).toBe('completed')
  })

  it('every route that belongs to a client works with the key of its owner', async () => {
    const { send, ids } = await openScene('alice')
    for (const { name, path, init } of everyRoute(ids)) {
      if (OPEN.test(name) || ABSENT.test(name)) continue
      const response = await send(path, { ...init, headers: as('alice') })
      // The stream of a suspended run does not end.
      await (name.endsWith('/events') ? response.body?.cancel() : response.text())
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

  it('a session that is busy for one key is free for another key', async () => {
    const { send, store } = createTestApp({ keys, script: [{ hang: true }, 'For bob.', 'For bob.', 'For bob.'] })
    await send('/process', { json: ask('go', { session_id: 'talk', background: true }), headers: as('alice') })
    const message = { id: 'q', role: 'user', content: 'go' }
    for (const [path, json] of [
      ['/process', ask('go', { session_id: 'talk' })],
      ['/v1/responses', { input: 'go', conversation: 'talk' }],
      ['/ag-ui', { threadId: 'talk', runId: 'r', messages: [message] }],
    ] as const)
      expect([path, await (await send(path, { json, headers: as('bob') })).text()]).toEqual([
        path,
        expect.stringContaining('For bob.'),
      ])
    expect(await store.runs({ scope: 'alice', status: 'running' })).toHaveLength(1)
  })

  it('one idempotency key begins a run for each client, also for clients with the same name or scope', async () => {
    const clients = [
      { name: 'ci', scope: 'a' },
      { name: 'ci', scope: 'b' },
      { name: 'release', scope: 'a' },
    ]
    const owned = clients.map((client, index) => ({ ...client, hash: hashApiKey(key(`${index}`)) }))
    const { send } = createTestApp({ keys: owned, script: ['One.', 'Two.', 'Three.'] })
    const answers: string[] = []
    for (const index of [0, 1, 2, 0, 1, 2]) {
      const headers = { ...as(`${index}`), 'idempotency-key': 'deploy' }
      const response = await send('/v1/responses', { json: { input: 'go' }, headers })
      answers.push(/(One|Two|Three)\./.exec(await response.text())?.[1] ?? `status ${response.status}`)
    }
    expect(answers).toEqual(['One', 'Two', 'Three', 'One', 'Two', 'Three'])
  })

  it('a failed request is repeated for its own client after another client has sent an equal one', async () => {
    const error = { code: 'model-overloaded', provider: 'scripted', detail: 'Try later.' } as const
    const { send, store } = createTestApp({ keys, script: [{ error }, 'For bob.', 'Never asked.'] })
    const json = { model: 'guide', messages: [{ role: 'user', content: 'go' }] }
    const statuses: number[] = []
    for (const name of ['alice', 'bob', 'alice'])
      statuses.push((await send('/v1/chat/completions', { json, headers: as(name) })).status)
    expect(statuses).toEqual([400, 200, 400])
    expect(await store.runs({ scope: 'alice' })).toHaveLength(1)
  })

  it('a message with the result of a call of another key begins a run of its own', async () => {
    const photo = defineTool({ name: 'photo', description: 'Takes one.', input: { type: 'object' } })
    const script = [{ toolCalls: [{ name: 'photo' }] }, 'For bob.']
    const { send, store } = createTestApp({ keys, script, agent: { tools: [photo] } })
    const asked = await send('/v1/responses', { json: { input: 'go' }, headers: as('alice') })
    const { output } = (await asked.json()) as { output: { call_id: string }[] }
    const [alices] = await store.runs({ scope: 'alice', status: 'suspended' })
    const callId = output[0]?.call_id ?? ''
    const input = [
      { type: 'function_call', call_id: callId, name: 'photo', arguments: '{}' },
      { type: 'function_call_output', call_id: callId, output: 'a cat' },
      { role: 'user', content: 'What do you see?' },
    ]
    const answer = await send('/v1/responses', { json: { input }, headers: as('bob') })
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('For bob.')])
    expect(await store.run(alices?.runId ?? '')).toEqual(alices)
  })

  it('no route but the health checks answers without a key', async () => {
    const { send, ids } = await openScene('alice')
    for (const { name, path, init } of everyRoute(ids)) {
      const isOpen = /^GET \/(health|readyz|livez)$/.test(name)
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

import { ParleyError, type EntryOf } from '@parley/core'
import { describe, expect, it, vi } from 'vitest'
import { hashApiKey } from './access/api-key.ts'
import type { ContextRequest } from './runs/context-request.ts'
import { createTestApp } from './__fixtures__/open-test-server.ts'
import { problemOf } from './__fixtures__/problem-of.ts'
import { ask } from './__fixtures__/sse.ts'

const keys = [{ name: 'alice', scope: 'acme', roles: ['admin'], hash: hashApiKey('key') }]
const headers = { authorization: 'Bearer key' }
const messages = [{ id: 'q', role: 'user', content: 'go', parts: [{ type: 'text', text: 'go' }] }]
const REQUESTS: readonly (readonly [path: string, json: object])[] = [
  ['/process', ask('go')],
  ['/v1/responses', { input: 'go' }],
  ['/v1/chat/completions', { model: 'guide', messages }],
  ['/ag-ui', { threadId: 't', runId: 'r', messages }],
  ['/api/chat', { id: 'c', messages }],
]

/** An agent whose tools, instructions and middleware read the context. */
const agent = { instructions: ({ context }: { context: unknown }) => `Context: ${JSON.stringify(context)}` }

function setup(options: Parameters<typeof createTestApp>[0] = {}) {
  const given = createTestApp({ keys, script: () => 'Done.', agent, ...options })
  const instructions = async (): Promise<readonly string[]> => {
    const runs = await given.store.runs({ scope: 'acme' })
    const journals = await Promise.all(runs.map(({ runId }) => given.store.read(runId)))
    const isText = (entry: { type: string }): entry is EntryOf<'instructions.evaluated'> =>
      entry.type === 'instructions.evaluated'
    return journals.flatMap(entries => entries.filter(isText).map(({ text }) => text))
  }
  return { ...given, instructions }
}

describe('the context of runs', () => {
  it.each(REQUESTS)(
    'a run that %s begins has the context that the server chooses for its client',
    async (path, json) => {
      const asked: ContextRequest[] = []
      const context = (request: ContextRequest) => {
        asked.push(request)
        return Promise.resolve({ tenant: request.scope, user: request.principal?.id })
      }
      const { send, instructions } = setup({ context })
      expect((await send(path, { json, headers })).status).toBe(200)
      await vi.waitFor(
        async () => expect(await instructions()).toEqual(['Context: {"tenant":"acme","user":"alice"}']),
        30_000,
      )
      const principal = { id: 'alice', roles: ['admin'] }
      expect(asked).toEqual([{ client: 'alice', scope: 'acme', principal, agent: 'guide', given: undefined }])
    },
  )

  it.each(REQUESTS)('a client cannot set the context of a run through the body of %s', async (path, json) => {
    const { send, instructions } = setup()
    await (await send(path, { json: { ...json, context: [] }, headers })).text()
    expect(await instructions()).toEqual(['Context: undefined'])
    const chosen = setup({ context: () => ({ role: 'guest' }) })
    await (
      await chosen.send(path, { json: { ...json, context: [{ description: 'role', value: 'admin' }] }, headers })
    ).text()
    expect(await chosen.instructions()).toEqual(['Context: {"role":"guest"}'])
  })

  it('the function may accept what an Agent API request gives', async () => {
    const { send, instructions } = setup({ context: ({ given, scope }) => ({ given, scope }) as object })
    await (await send('/process', { json: ask('go', { context: { locale: 'de' } }), headers })).text()
    expect(await instructions()).toEqual(['Context: {"given":{"locale":"de"},"scope":"acme"}'])
  })

  it('a context that the function refuses is answered with 400, and no run begins', async () => {
    const context = () => {
      throw new ParleyError({ code: 'request-invalid', path: 'context.locale', detail: 'must be a text' })
    }
    const { send, store } = setup({ context })
    const response = await send('/process', { json: ask('go', { context: { locale: 5 } }), headers })
    expect(await response.clone().text()).toContain('context.locale')
    expect(await problemOf(response)).toBe('400 INVALID_PARAMETER')
    expect(await store.runs({ scope: 'acme' })).toEqual([])
  })

  it.each([
    ['throws', () => Promise.reject(new Error('secret words'))],
    ['returns what is not JSON', () => ({ secret: () => 'secret words' })],
  ])('a function that %s is answered with 500 without its words, and reported', async (_, context) => {
    const errors: string[] = []
    const { send, store } = setup({ context, onError: error => errors.push(String(error)) })
    const response = await send('/process', { json: ask('go'), headers })
    const text = await response.text()
    expect([response.status, text.includes('secret')]).toEqual([500, false])
    expect(errors).toEqual([expect.stringContaining('secret')])
    expect(await store.runs({ scope: 'acme' })).toEqual([])
  })

  it('a regenerated answer has the context that the server chooses for its request', async () => {
    let count = 0
    const { send, instructions } = setup({ context: () => ({ count: (count += 1) }) })
    await (await send('/api/chat', { json: { id: 'c', messages }, headers })).text()
    const again = { id: 'c', messages, trigger: 'regenerate-message' }
    await (await send('/api/chat', { json: again, headers })).text()
    expect(new Set(await instructions())).toEqual(new Set(['Context: {"count":1}', 'Context: {"count":2}']))
  })

  it('a run that continues after an answer keeps its context', async () => {
    const script = [{ toolCalls: [{ name: 'pay' }] }, 'Done.']
    const { send, instructions, store } = setup({ script, context: ({ principal }) => ({ user: principal?.id }) })
    await (await send('/process', { json: ask('go', { id: 'mine' }), headers })).text()
    const { data } = (await (await send('/process/mine/approvals', { headers })).json()) as {
      data: { approvalId: string }[]
    }
    await (await send(`/process/mine/approvals/${data[0]?.approvalId}`, { json: { approve: true }, headers })).text()
    await vi.waitFor(async () => expect((await store.runs({ scope: 'acme' }))[0]?.status).toBe('completed'), 30_000)
    expect(await instructions()).toEqual(['Context: {"user":"alice"}'])
  })

  it('messages of a session begin their runs in the order of their requests, though one context takes longer', async () => {
    const gate = Promise.withResolvers<void>()
    let count = 0
    const context = async () => {
      const number = (count += 1)
      if (number === 1) await gate.promise
      return { number }
    }
    const { send, store } = setup({ context, onBusy: 'queue', script: ({ messages: all }) => `Answer ${all.length}.` })
    const post = (text: string) => send('/process', { json: ask(text, { session_id: 'talk', stream: false }), headers })
    const answers = [post('one'), post('two')]
    for (let turn = 0; turn < 20; turn++) await new Promise(resolve => setImmediate(resolve))
    gate.resolve()
    await Promise.all(answers)
    const previews = (await store.runs({ scope: 'acme' })).map(({ preview }) => preview)
    expect(previews).toEqual(['two', 'one'])
  })
})

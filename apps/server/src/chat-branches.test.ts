import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel } from '@parley/testing'
import { DefaultChatTransport, readUIMessageStream, type UIMessage } from 'ai'
import { describe, expect, it, vi } from 'vitest'
import { openTestServer, type TestServerOptions } from './__fixtures__/open-test-server.ts'

/** Opens a server whose model repeats everything that it has read, and numbers its answers. */
async function openEchoServer(options: TestServerOptions = {}) {
  const model = scriptedModel(({ messages }, index) => {
    const read = messages.map(({ content }) => (content as { text?: string }[]).map(({ text }) => text).join(''))
    return `${index + 1}: ${read.map(text => text.replace(/:.*/, '')).join(' ')}`
  })
  return { ...(await openTestServer({ agent: { model }, ...options })), model }
}

const user = (id: string, text = id): UIMessage => ({ id, role: 'user', parts: [{ type: 'text', text }] })

interface Sending {
  readonly trigger?: 'regenerate-message'
  readonly messageId?: string
}

/** Sends the messages as a chat does. */
async function send(
  url: string,
  messages: UIMessage[],
  { trigger, messageId }: Sending = {},
): Promise<UIMessage & { readonly said: string }> {
  const transport = new DefaultChatTransport({ api: `${url}/api/chat` })
  const how = { trigger: trigger ?? 'submit-message', messageId, chatId: 'chat', abortSignal: undefined } as const
  const stream = await transport.sendMessages({ ...how, messages })
  let last: UIMessage | undefined
  for await (const each of readUIMessageStream({ stream, terminateOnError: true })) last = each
  if (last === undefined) throw new Error('the stream had no message')
  return { ...last, said: last.parts.map(part => (part.type === 'text' ? part.text : '')).join('') }
}

/** The messages with which a page that is loaded again begins. */
async function load(url: string): Promise<unknown> {
  return (await fetch(`${url}/api/chat/chat/messages`)).json()
}

/** As JSON keeps it, without what the test added. */
const plain = (messages: readonly object[]): unknown =>
  JSON.parse(JSON.stringify(messages, (key, value: unknown) => (key === 'said' ? undefined : value)))

describe('an AI SDK chat whose user wants another answer', () => {
  it('a regenerated answer is a branch: the model does not read the first one, and the chat continues from the second', async () => {
    await using served = await openEchoServer()
    const { url, runtime } = served
    const a = await send(url, [user('one')])
    const b = await send(url, [user('one'), a, user('two')])
    expect(b.said).toBe('2: one 1 two')
    const again = await send(url, [user('one'), a, user('two')], { trigger: 'regenerate-message', messageId: b.id })
    expect(again.said).toBe('3: one 1 two')
    expect(again.id).not.toBe(b.id)
    const third = await send(url, [user('one'), a, user('two')], { trigger: 'regenerate-message' })
    expect(third.said).toBe('4: one 1 two')
    const last = await send(url, [user('one'), a, user('two'), third, user('three')])
    expect(last.said).toBe('5: one 1 two 4 three')
    expect(await load(url)).toEqual(plain([user('one'), a, user('two'), third, user('three'), last]))
    const relations = (await runtime.session('chat')).map(({ relation }) => relation)
    expect(relations).toEqual(['initial', 'continue', 'rerun', 'rerun', 'continue'])
  })

  it('an edited message is a branch: the model reads neither the first text nor what followed', async () => {
    await using served = await openEchoServer()
    const { url } = served
    const a = await send(url, [user('one')])
    const b = await send(url, [user('one'), a, user('two')])
    await send(url, [user('one'), a, user('two'), b, user('three')])
    const edited = await send(url, [user('one'), a, user('two', 'zwei')], { messageId: 'two' })
    expect(edited.said).toBe('4: one 1 zwei')
    const first = await send(url, [user('one', 'eins')], { messageId: 'one' })
    expect(first.said).toBe('5: eins')
    const last = await send(url, [user('one', 'eins'), first, user('more')])
    expect(last.said).toBe('6: eins 5 more')
    expect(await load(url)).toEqual(plain([user('one', 'eins'), first, user('more'), last]))
  })

  it('the answer to an older message is regenerated, also by a new server', async () => {
    const store = createMemoryStore()
    await using before = await openEchoServer({ store })
    const a = await send(before.url, [user('one')])
    await send(before.url, [user('one'), a, user('two')])
    await using after = await openEchoServer({ store })
    const again = await send(after.url, [user('one')], { trigger: 'regenerate-message', messageId: a.id })
    expect(again.said).toBe('1: one')
  })

  it('the messages of a chat leave out the answer that is being written, because its stream begins with it', async () => {
    const script = [{ toolCalls: [{ name: 'weather', input: { city: 'Oslo' } }] }, { text: 'Sunny', hang: true }]
    await using served = await openTestServer({ script, onDisconnect: 'continue' })
    const { url, store } = served
    const leave = new AbortController()
    const json = JSON.stringify({ id: 'chat', messages: [user('one')] })
    await fetch(`${url}/api/chat`, { method: 'POST', body: json, signal: leave.signal })
    const [run] = await store.runs({ scope: 'default' })
    const answered = async (): Promise<boolean> =>
      (await store.read(run?.runId ?? '')).some(({ type }) => type === 'tool.ended')
    await vi.waitFor(async () => expect(await answered()).toBe(true), 30_000)
    expect(await load(url)).toEqual([user('one')])
    leave.abort()
    expect((await fetch(`${url}/api/chat/nobody/chat/messages`)).status).toBe(404)
  })

  it('the messages of a chat keep what was answered before an approval, while the rest is being written', async () => {
    const script = [
      { text: 'Paying.', toolCalls: [{ name: 'pay', input: {} }] },
      { text: 'Done', hang: true },
    ]
    await using served = await openTestServer({ script, onDisconnect: 'continue' })
    const { url, store, runtime } = served
    const asked = await send(url, [user('one')])
    const [run] = await store.runs({ scope: 'default' })
    const runId = run?.runId ?? ''
    const [request] = (await runtime.pending(runId)).approvals
    await runtime.decide(runId, request?.approvalId ?? '', { decision: { type: 'approved' } })
    await vi.waitFor(async () => expect((await store.run(runId))?.status).toBe('running'), 30_000)
    expect(await load(url)).toEqual(plain([user('one'), asked]))
  })

  it('a message without an answer is regenerated as a new run', async () => {
    await using served = await openEchoServer()
    const a = await send(served.url, [user('one')])
    const again = await send(served.url, [user('one'), a, user('two')], { trigger: 'regenerate-message' })
    expect(again.said).toBe('2: one 1 two')
    expect((await served.runtime.session('chat')).map(({ relation }) => relation)).toEqual(['initial', 'continue'])
  })
})

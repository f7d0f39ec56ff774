import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRuntime } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel } from '@parley/testing'
import { defineAssistant } from '../src/agent.ts'
import { createApp } from '../src/app.ts'

const post = (text: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ id: 'chat-1', messages: [{ id: 'm1', role: 'user', parts: [{ type: 'text', text }] }] }),
})

test('the chat streams answers and remembers the session', async () => {
  const model = scriptedModel(({ messages }) => `Message ${messages.length}.`)
  const store = createMemoryStore()
  const runtime = createRuntime({ store, agents: [defineAssistant(model)] })
  const app = createApp(runtime)
  assert.match(await (await app.request('/')).text(), /<title>Chat<\/title>/)
  assert.match(await (await app.request('/api/chat', post('Hi'))).text(), /"delta":"Message /)
  await (await app.request('/api/chat', post('And now?'))).text()
  assert.equal(model.requests.at(-1)?.messages.length, 3)
  await runtime.close()
})

test('the chat rejects a body that is not a chat', async () => {
  const runtime = createRuntime({ agents: [defineAssistant(scriptedModel([]))] })
  const response = await createApp(runtime).request('/api/chat', { method: 'POST', body: '{"id":1}' })
  assert.equal(response.status, 400)
  await runtime.close()
})

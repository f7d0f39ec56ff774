// The chat of a page, without the page.
// #region chat
import { Chat } from '@ai-sdk/react'
import { createRuntime, defineAgent } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { hashApiKey, openServer } from '@parley/server'
import { scriptedModel } from '@parley/testing'
import { DefaultChatTransport } from 'ai'

const agents = [defineAgent({ name: 'assistant', model: scriptedModel(['Hello Ada.', 'Your name is Ada.']) })]
const runtime = createRuntime({ agents, store: createMemoryStore() })
const keys = [{ name: 'alice', hash: hashApiKey('a-long-and-random-key') }]
await using server = await openServer({ runtime, keys, port: 0 })

const transport = new DefaultChatTransport({
  api: `${server.url}/api/chat/assistant`,
  headers: { authorization: 'Bearer a-long-and-random-key' }, // a server without `keys` needs none
})
const chat = new Chat({ id: 'chat-7', transport })

await chat.sendMessage({ text: 'I am Ada.' })
await chat.sendMessage({ text: 'Who am I?' })
for (const { role, parts } of chat.messages) {
  const text = parts.map(part => (part.type === 'text' ? part.text : '')).join('')
  console.log(`${role}: ${text}`)
}
// → user: I am Ada.
// → assistant: Hello Ada.
// → user: Who am I?
// → assistant: Your name is Ada.
// #endregion

// #region automatic
import {
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
  type UIMessage,
} from 'ai'

/** `new Chat({ …, sendAutomaticallyWhen })` sends results and decisions as soon as the last of them is there. */
function sendAutomaticallyWhen(state: { messages: UIMessage[] }): boolean {
  const parts = state.messages.at(-1)?.parts ?? []
  if (parts.some(part => 'state' in part && part.state === 'approval-requested')) return false
  return (
    lastAssistantMessageIsCompleteWithToolCalls(state) || lastAssistantMessageIsCompleteWithApprovalResponses(state)
  )
}
// #endregion

const pending = { type: 'tool-pay', toolCallId: 'c1', input: {}, approval: { id: 'a1' } } as const
const withParts = (...parts: UIMessage['parts']): UIMessage[] => [{ id: 'm1', role: 'assistant', parts }]
const done = { type: 'tool-locate', toolCallId: 'c2', input: {}, output: {}, state: 'output-available' } as const
console.log(sendAutomaticallyWhen({ messages: withParts({ ...pending, state: 'approval-requested' }, done) })) // → false
console.log(
  sendAutomaticallyWhen({
    messages: withParts({ ...pending, state: 'approval-responded', approval: { id: 'a1', approved: true } }, done),
  }),
) // → true

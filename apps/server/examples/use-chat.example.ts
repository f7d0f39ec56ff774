// The chat of a page, without the page: `useChat({ chat })` renders it.
import { createRuntime, defineAgent } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { openServer } from '@parley/server'
import { scriptedModel } from '@parley/testing'

const agents = [defineAgent({ name: 'assistant', model: scriptedModel(['Hello Ada.', 'Your name is Ada.']) })]
const runtime = createRuntime({ agents, store: createMemoryStore() })
await using server = await openServer({ runtime, port: 0 })

// #region chat
import { Chat } from '@ai-sdk/react'
import { DefaultChatTransport } from 'ai'

const transport = new DefaultChatTransport({ api: `${server.url}/api/chat/assistant` })
const chat = new Chat({ id: 'chat-7', transport }) // in a component: const { messages, sendMessage } = useChat({ chat })

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

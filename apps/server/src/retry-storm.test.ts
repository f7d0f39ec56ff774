import { createOpenAI } from '@ai-sdk/openai'
import { HttpAgent } from '@ag-ui/client'
import { CopilotKitCore } from '@copilotkit/core'
import { ChatOpenAI } from '@langchain/openai'
import { Agent, Runner } from '@openai/agents-core'
import { OpenAIProvider } from '@openai/agents-openai'
import { HttpAgent as CopilotKitAgent } from 'ag-ui-client-of-copilotkit'
import { DefaultChatTransport, generateText, streamText } from 'ai'
import OpenAI from 'openai'
import { expect, it } from 'vitest'
import { bookingAgent, overloaded } from './__fixtures__/booking-agent.ts'
import { covers } from './__fixtures__/client-cells.ts'
import { openTestServer } from './__fixtures__/open-test-server.ts'
import { ask } from './__fixtures__/sse.ts'

/** Sends a message to an agent that books something and then fails. Each client has its own default number of retries. */
type Client = (url: string, text: string) => Promise<unknown>

const openai = (url: string): OpenAI => new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none' })
const aiSdk = (url: string) => createOpenAI({ baseURL: `${url}/v1`, apiKey: 'none' })
const guide = new Agent({ name: 'local', model: 'guide' })
const agentsSdk = (url: string, useResponses: boolean) =>
  new Runner({ tracingDisabled: true, modelProvider: new OpenAIProvider({ openAIClient: openai(url), useResponses }) })
const messagesOf = (content: string) => [{ role: 'user' as const, content }]

async function drain(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const part of stream) if (part === undefined) break
}

const CLIENTS: Readonly<Record<string, Client>> = {
  'openai chat': (url, text) => openai(url).chat.completions.create({ model: 'guide', messages: messagesOf(text) }),
  'openai chat stream': async (url, text) =>
    drain(await openai(url).chat.completions.create({ model: 'guide', messages: messagesOf(text), stream: true })),
  'openai responses': (url, text) => openai(url).responses.create({ model: 'guide', input: text }),
  'openai responses stream': async (url, text) =>
    drain(await openai(url).responses.create({ model: 'guide', input: text, stream: true })),
  'AI SDK chat': (url, prompt) => generateText({ model: aiSdk(url).chat('guide'), prompt }),
  'AI SDK responses': (url, prompt) => generateText({ model: aiSdk(url).responses('guide'), prompt }),
  'AI SDK stream': (url, prompt) =>
    drain(streamText({ model: aiSdk(url).chat('guide'), prompt, onError: () => {} }).fullStream),
  LangChain: (url, text) =>
    new ChatOpenAI({ model: 'guide', apiKey: 'none', configuration: { baseURL: `${url}/v1` } }).invoke(text),
  'AG-UI': async (url, text) => {
    const agent = new HttpAgent({ url: `${url}/ag-ui`, threadId: text })
    agent.messages = [{ id: text, role: 'user', content: text }]
    await agent.runAgent()
  },
  CopilotKit: async (url, text) => {
    const agent = new CopilotKitAgent({ url: `${url}/ag-ui`, threadId: text, agentId: 'guide' })
    agent.addMessage({ id: text, role: 'user', content: text })
    await new CopilotKitCore({ agents__unsafe_dev_only: { guide: agent } }).runAgent({ agent })
  },
  'Agents SDK responses': (url, text) => agentsSdk(url, true).run(guide, text),
  'Agents SDK chat': (url, text) => agentsSdk(url, false).run(guide, text),
  useChat: async (url, text) => {
    const transport = new DefaultChatTransport({ api: `${url}/api/chat` })
    const message = { id: text, role: 'user' as const, parts: [{ type: 'text' as const, text }] }
    const options = { messageId: undefined, abortSignal: undefined }
    const chunks = await transport.sendMessages({
      ...options,
      chatId: text,
      messages: [message],
      trigger: 'submit-message',
    })
    await drain(chunks)
  },
  'Agent API': async (url, text) =>
    (await fetch(`${url}/process`, { method: 'POST', body: JSON.stringify(ask(text)) })).text(),
}

const RUNS = 50

it(
  'in a storm of failing runs, each client begins each run once and each effect happens once',
  {
    timeout: 120_000,
    ...covers(
      'openai SDK: retry storm',
      'useChat: retry storm',
      'AI SDK with its OpenAI provider: retry storm',
      'AG-UI client: retry storm',
      'CopilotKit: retry storm',
      'OpenAI Agents SDK: retry storm',
      'LangChain: retry storm',
    ),
  },
  async () => {
    const { ledger, ...options } = bookingAgent(() => ({ error: overloaded }))
    await using served = await openTestServer(options)
    await Promise.all(
      Object.entries(CLIENTS).flatMap(([name, send]) =>
        Array.from({ length: RUNS }, (_, run) => send(served.url, `Book ${name} ${run}.`).catch(() => {})),
      ),
    )
    const runs = await served.store.runs({ scope: 'default', limit: 10_000 })
    expect(runs.map(({ status }) => status)).toEqual(Array.from({ length: runs.length }, () => 'failed'))
    expect([runs.length, ledger.length, new Set(ledger).size]).toEqual(
      Array.from({ length: 3 }, () => RUNS * Object.keys(CLIENTS).length),
    )
  },
)

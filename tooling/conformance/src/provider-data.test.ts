import { createMemoryStore } from '@parley/memory-store'
import { defineTool } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { createOpenAI } from '@parley/openai'
import type { HttpFetch } from '@parley/provider-kit'
import { expect, it } from 'vitest'
import * as z from 'zod'

const signed = (signature: string) => ({ google: { thought_signature: signature } })

/** One answer as Gemini's OpenAI-compatible server sends it: as the deltas of a stream, and as the message of a document. */
interface Answer {
  readonly deltas: readonly object[]
  readonly message: object
}

const call = (id: string, extra?: object) => ({
  id,
  type: 'function',
  function: { name: 'look', arguments: '{}' },
  ...(extra === undefined ? {} : { extra_content: extra }),
})

const withCalls: Answer = {
  deltas: [
    { role: 'assistant', content: 'Let me look.' },
    // Gemini sends whole calls without an index.
    { tool_calls: [call('a', signed('call-a'))] },
    { tool_calls: [call('b')] },
    { content: '', extra_content: signed('with-calls') },
  ],
  message: {
    role: 'assistant',
    content: 'Let me look.',
    tool_calls: [call('a', signed('call-a')), call('b')],
    extra_content: signed('with-calls'),
  },
}
const withText: Answer = {
  deltas: [
    { role: 'assistant', content: 'Do', extra_content: { google: { part: 1 } } },
    { content: 'ne.', extra_content: signed('text') },
    { content: '', extra_content: { google: { thought_signature: '' } } },
  ],
  message: { role: 'assistant', content: 'Done.', extra_content: { google: { part: 1, thought_signature: 'text' } } },
}

function toBody({ deltas, message }: Answer, wire: 'stream' | 'json'): string {
  if (wire === 'json') return JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] })
  const chunks = [
    ...deltas.map(delta => ({ choices: [{ index: 0, delta, finish_reason: null }] })),
    { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  ]
  return [...chunks.map(chunk => JSON.stringify(chunk)), '[DONE]'].map(data => `data: ${data}\n\n`).join('')
}

it.each(['stream', 'json'] as const)(
  'a run sends the extra_content of messages and calls back to the server that sent it (wire %s)',
  async wire => {
    const answers = [withCalls, withText, withText]
    const requests: { readonly messages: readonly Record<string, unknown>[] }[] = []
    const fetch: HttpFetch = async (_, { body }) => {
      requests.push(JSON.parse(body ?? '') as (typeof requests)[number])
      const answer = answers[requests.length - 1]
      return new Response(answer === undefined ? '' : toBody(answer, wire))
    }
    const model = createOpenAI({
      baseUrl: 'https://gemini.test/v1/openai',
      apiKey: 'k',
      api: 'chat',
      wire,
      fetch,
    }).model('g')
    const look = defineTool({ name: 'look', description: 'Looks.', input: z.object({}), execute: () => 'seen' })
    const runtime = createRuntime({ store: createMemoryStore() })
    const agent = defineAgent({ name: 'a', model, tools: [look] })
    await runtime.run(agent, 'Go.', { sessionId: 's' }).result
    expect(await runtime.run(agent, 'Again.', { sessionId: 's' }).result).toMatchObject({ status: 'completed' })

    const replies = (requests.at(-1)?.messages ?? []).filter(message => message['role'] === 'assistant')
    expect(replies).toEqual([
      {
        role: 'assistant',
        content: 'Let me look.',
        tool_calls: [call('a', signed('call-a')), call('b')],
        extra_content: signed('with-calls'),
      },
      { role: 'assistant', content: 'Done.', extra_content: { google: { part: 1, thought_signature: 'text' } } },
    ])
  },
)

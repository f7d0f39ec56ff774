import { describe, expect, it } from 'vitest'
import { openServed } from './__fixtures__/open-served.ts'
import { createMcpServer } from './create-mcp-server.ts'
import type { McpServedPrompt } from './serve-prompts.ts'

const review: McpServedPrompt = {
  name: 'review',
  description: 'Reviews a text.',
  arguments: {
    text: { description: 'The text', required: true },
    tone: { complete: ['kind', 'Keen', 'strict'] },
    word: {
      complete: (written, { tone = '' }) => Array.from({ length: 150 }, (_, index) => `${written}${tone}${index}`),
    },
  },
  render: ({ text = '', tone = 'plain' }) => [
    { role: 'system', content: `Be ${tone}.` },
    {
      role: 'user',
      content: [
        { type: 'text', text },
        { type: 'file', mediaType: 'image/png', source: { type: 'base64', data: 'aW1n' } },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'hidden' },
        { type: 'text', text: 'I see.' },
      ],
    },
    { role: 'tool', callId: 'c', name: 't', content: [{ type: 'text', text: 'result' }] },
  ],
}
const hello: McpServedPrompt = { name: 'hello', render: () => 'Hello.' }

describe.each(['legacy', 'auto'] as const)('prompts, in %s', protocol => {
  it('a client lists prompts and renders them', async () => {
    await using opened = await openServed({ prompts: [review, hello] }, protocol)
    const { client } = opened
    expect(await client.listPrompts()).toEqual([
      {
        name: 'review',
        description: 'Reviews a text.',
        arguments: [
          { name: 'text', description: 'The text', required: true },
          { name: 'tone', required: false },
          { name: 'word', required: false },
        ],
      },
      { name: 'hello', arguments: [] },
    ])
    expect((await client.getPrompt('review', { text: 'A text.', tone: 'kind' })).messages).toEqual([
      { role: 'user', content: { type: 'text', text: 'Be kind.' } },
      { role: 'user', content: { type: 'text', text: 'A text.' } },
      { role: 'user', content: { type: 'image', data: 'aW1n', mimeType: 'image/png' } },
      { role: 'assistant', content: { type: 'text', text: 'I see.' } },
    ])
    expect((await client.getPrompt('hello')).messages).toEqual([
      { role: 'user', content: { type: 'text', text: 'Hello.' } },
    ])
  })

  it('a request for an unknown prompt or without a required argument is refused with the reason', async () => {
    await using opened = await openServed({ prompts: [review, hello] }, protocol)
    const { client } = opened
    await expect(client.getPrompt('revew')).rejects.toThrow(/There is no prompt named 'revew'\. Known: review, hello\./)
    await expect(client.getPrompt('review')).rejects.toThrow(/The prompt 'review' needs the argument 'text'\./)
  })

  it('the words of an error of a prompt reach the owner only', async () => {
    const failures: string[] = []
    const broken: McpServedPrompt = { name: 'broken', render: () => Promise.reject(new Error('sk-secret')) }
    const onError = ({ message }: Error): void => void failures.push(message)
    await using opened = await openServed({ prompts: [broken], onError }, protocol)
    const error = await opened.client.getPrompt('broken').catch(String)
    expect(error).toContain('The agent failed for a reason of its own.')
    expect(error).not.toContain('sk-secret')
    expect(failures).toEqual(['sk-secret'])
  })

  it('a client gets suggestions for an argument, at most 100', async () => {
    await using opened = await openServed({ prompts: [review] }, protocol)
    const { client } = opened
    const of = { prompt: 'review' }
    const tones = await client.complete({ of, argument: 'tone', value: 'k' })
    expect(tones).toEqual({ values: ['kind', 'Keen'], total: 2, hasMore: false })
    const words = await client.complete({ of, argument: 'word', value: 'a', known: { tone: '-' } })
    expect(words).toMatchObject({ total: 150, hasMore: true })
    expect([words.values.length, words.values[7]]).toEqual([100, 'a-7'])
    await expect(client.complete({ of, argument: 'nothing', value: '' })).rejects.toThrow(
      /The prompt 'review' has no argument 'nothing'\./,
    )
  })

  it('a server without prompts declares none', async () => {
    await using opened = await openServed({}, protocol)
    expect(await opened.client.listPrompts()).toEqual([])
    await expect(opened.client.getPrompt('any')).rejects.toThrow(/prompts/)
  })
})

it.each([
  [[hello, hello], "createMcpServer.prompts[1].name: is 'hello', the name of another prompt; must be unique"],
  [[{ name: 'a' }], 'createMcpServer.prompts[0].render: is missing; must be a function'],
  [[{ ...hello, arguments: { a: { needed: true } } }], 'createMcpServer.prompts[0].arguments.a.needed: is an unknown'],
])('prompts with a mistake are refused with its place', (prompts, words) => {
  expect(() => createMcpServer({ name: 'p', version: '1', tools: [], prompts: prompts as McpServedPrompt[] })).toThrow(
    words,
  )
})

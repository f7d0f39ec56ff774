import { Agent, hostedMcpTool, Runner, RunState, tool } from '@openai/agents-core'
import { OpenAIProvider } from '@openai/agents-openai'
import { scriptedModel, type Script } from '@parley/testing'
import OpenAI from 'openai'
import { describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { bookingAgent, overloaded } from './__fixtures__/booking-agent.ts'
import { covers } from './__fixtures__/client-cells.ts'
import { openTestServer } from './__fixtures__/open-test-server.ts'

const scope = 'default'
const loop: Script = [{ text: 'Let me look. ', toolCalls: [{ name: 'weather', input: { city: 'Oslo' } }] }, 'Sunny.']
const paying: Script = [{ toolCalls: [{ name: 'pay', input: { sum: 3 } }] }, 'Done.', 'Hello again.']
const locating: Script = [
  ...['Bern', 'Rome'].map(of => ({ toolCalls: [{ name: 'locate', input: { of } }] })),
  'Bern is north of Rome.',
]

type Api = 'responses' | 'chat completions'
const APIS: readonly Api[] = ['responses', 'chat completions']

/** A runner of the SDK whose models are the agents of the server. */
function runnerOf(url: string, api: Api): Runner {
  const openAIClient = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none' })
  const modelProvider = new OpenAIProvider({ openAIClient, useResponses: api === 'responses' })
  return new Runner({ modelProvider, tracingDisabled: true })
}

const guide = new Agent({ name: 'local', instructions: 'Be brief.', model: 'guide' })

/** An agent of the SDK that knows the server's tools, as its approvals require. */
function payerOf(url: string) {
  const serverUrl = `${url}/v1`
  return new Agent({ name: 'local', model: 'guide', tools: [hostedMcpTool({ serverLabel: 'guide', serverUrl })] })
}

describe('the OpenAI Agents SDK', () => {
  it.each(APIS)('the Agents SDK streams an answer over the %s API', covers('OpenAI Agents SDK: stream'), async api => {
    await using served = await openTestServer({ script: ['The quick brown fox jumps.'] })
    const streamed = await runnerOf(served.url, api).run(guide, 'Go.', { stream: true })
    const texts: string[] = []
    for await (const text of streamed.toTextStream()) texts.push(text)
    await streamed.completed
    expect(texts.length).toBeGreaterThan(1)
    expect(texts.join('')).toBe('The quick brown fox jumps.')
    expect(streamed.finalOutput).toBe('The quick brown fox jumps.')
    expect(streamed.runContext.usage.totalTokens).toBe(15)
  })

  it('the Agents SDK shows the calls of the agent and their results', covers('OpenAI Agents SDK: tools'), async () => {
    await using served = await openTestServer({ script: loop })
    const { finalOutput, newItems } = await runnerOf(served.url, 'responses').run(guide, 'Weather?')
    expect(finalOutput).toBe('Sunny.')
    expect(newItems.map(({ type }) => type)).toEqual(['message_output_item', 'tool_call_item', 'message_output_item'])
    expect(newItems[1]?.rawItem).toMatchObject({
      name: 'mcp_call',
      status: 'completed',
      output: 'sunny',
      providerData: { name: 'weather', arguments: '{"city":"Oslo"}' },
    })
  })

  it.each(APIS.flatMap(api => [false, true].map(stream => [api, stream] as const)))(
    'the Agents SDK executes its own tools over the %s API in one run, with stream: %s',
    covers('OpenAI Agents SDK: client tools'),
    async (api, stream) => {
      await using served = await openTestServer({ script: locating })
      const asked: string[] = []
      const locate = tool({
        name: 'locate',
        description: 'Locates.',
        parameters: z.object({ of: z.string() }),
        execute: ({ of }) => {
          asked.push(of)
          return `the position of ${of}`
        },
      })
      const agent = new Agent({ name: 'local', instructions: 'Be brief.', model: 'guide', tools: [locate] })
      const runner = runnerOf(served.url, api)
      const result = stream ? await runner.run(agent, 'Which?', { stream }) : await runner.run(agent, 'Which?')
      if ('completed' in result) await result.completed
      expect(result.finalOutput).toBe('Bern is north of Rome.')
      expect(asked).toEqual(['Bern', 'Rome'])
      expect(await served.runtime.runs()).toMatchObject([{ status: 'completed' }])
    },
  )

  it.each([
    ['approves', { output: 'paid', providerData: { status: 'completed' } }],
    ['refuses', { providerData: { status: 'failed', error: expect.stringContaining('too dear') as string } }],
  ] as const)(
    'the Agents SDK %s a call, and the run continues',
    covers('OpenAI Agents SDK: approval yes', 'OpenAI Agents SDK: approval no'),
    async (verb, result) => {
      await using served = await openTestServer({ script: paying })
      const runner = runnerOf(served.url, 'responses')
      const agent = payerOf(served.url)
      const { interruptions, state } = await runner.run(agent, 'Pay.')
      expect(interruptions.map(({ rawItem }) => rawItem.providerData)).toMatchObject([
        { name: 'pay', arguments: '{"sum":3}' },
      ])
      for (const each of interruptions)
        if (verb === 'approves') state.approve(each)
        else state.reject(each, { message: 'too dear' })
      const answered = await runner.run(agent, state)
      expect(answered.finalOutput).toBe('Done.')
      const items = answered.newItems.map(({ rawItem }) => rawItem)
      expect(items.findLast(item => 'name' in item && item.name === 'mcp_call')).toMatchObject(result)
      expect(await served.runtime.runs()).toMatchObject([{ status: 'completed' }])
    },
  )

  it('the Agents SDK resumes a run from its serialized state', covers('OpenAI Agents SDK: resume'), async () => {
    await using served = await openTestServer({ script: paying })
    const runner = runnerOf(served.url, 'responses')
    const agent = payerOf(served.url)
    const first = await runner.run(agent, 'Pay.')
    const state = await RunState.fromString(agent, first.state.toString())
    for (const each of state.getInterruptions()) state.approve(each)
    const second = await runner.run(agent, state)
    expect(second.finalOutput).toBe('Done.')
    const third = await runner.run(agent, 'Hello?', { previousResponseId: second.lastResponseId ?? '' })
    expect(third.finalOutput).toBe('Hello again.')
    expect(await served.runtime.runs()).toHaveLength(2)
  })

  it(
    'the Agents SDK asks again after the same previousResponseId: a branch',
    covers('OpenAI Agents SDK: regenerate'),
    async () => {
      const model = scriptedModel(['One.', 'Two.', 'Three.'])
      await using served = await openTestServer({ agent: { model } })
      const runner = runnerOf(served.url, 'responses')
      const { lastResponseId: previousResponseId = '' } = await runner.run(guide, 'a')
      expect((await runner.run(guide, 'b', { previousResponseId })).finalOutput).toBe('Two.')
      expect((await runner.run(guide, 'b', { previousResponseId })).finalOutput).toBe('Three.')
      const read = JSON.stringify(model.requests.at(-1)?.messages)
      expect(read).toContain('One.')
      expect(read).not.toContain('Two.')
    },
  )

  it.each([
    ['responses', 'running'],
    ['chat completions', 'cancelled'],
  ] as const)(
    'the signal of the Agents SDK ends its stream over the %s API, and the run is %s',
    covers('OpenAI Agents SDK: stop'),
    async (api, status) => {
      await using served = await openTestServer({ script: [{ text: 'The quick brown fox', hang: true }] })
      const stop = new AbortController()
      const { signal } = stop
      const streamed = await runnerOf(served.url, api).run(guide, 'Go.', { stream: true, signal })
      let read = ''
      for await (const text of streamed.toTextStream()) if ((read += text).endsWith('fox')) stop.abort()
      await streamed.completed
      expect([read, streamed.cancelled]).toEqual(['The quick brown fox', true])
      await vi.waitFor(async () => expect(await served.store.runs({ scope })).toMatchObject([{ status }]), 30_000)
      // A response is cancelled by a request, because its client can read it again.
      if (api === 'chat completions') return
      const { responses } = new OpenAI({ baseURL: `${served.url}/v1`, apiKey: 'none' })
      const [run] = await served.store.runs({ scope })
      expect(await responses.cancel(`resp_${run?.runId}`)).toMatchObject({ status: 'cancelled' })
    },
  )

  it.each(APIS.flatMap(api => [false, true].map(stream => [api, stream] as const)))(
    'the Agents SDK throws the failure of a run over the %s API and does not repeat it, with stream: %s',
    covers('OpenAI Agents SDK: failure'),
    async (api, stream) => {
      const { ledger, ...options } = bookingAgent(() => ({ error: overloaded }))
      await using served = await openTestServer(options)
      const runner = runnerOf(served.url, api)
      const run = async (): Promise<unknown> => {
        if (!stream) return runner.run(guide, 'Book it.')
        const streamed = await runner.run(guide, 'Book it.', { stream })
        for await (const event of streamed) if (event.type === 'agent_updated_stream_event') continue
        return streamed.completed
      }
      await expect(run()).rejects.toThrow(api === 'responses' ? /failed|overloaded/i : /overloaded/i)
      expect(ledger).toHaveLength(1)
      expect(await served.store.runs({ scope })).toMatchObject([{ status: 'failed' }])
    },
  )

  it('a chat completion cannot ask for approval, and the Agents SDK throws what to use instead', async () => {
    await using served = await openTestServer({ script: paying })
    await expect(runnerOf(served.url, 'chat completions').run(guide, 'Pay.')).rejects.toThrow(/cannot approve it/)
    expect(await served.store.runs({ scope })).toHaveLength(1)
  })

  it('a hosted MCP tool of another server is rejected with status 400', async () => {
    await using served = await openTestServer()
    const run = runnerOf(served.url, 'responses').run(payerOf('https://example.com'), 'Go.')
    await expect(run).rejects.toThrow(/400 tools.server_url: is "https:\/\/example.com\/v1"; must be an address at 127/)
    expect(await served.store.runs({ scope })).toEqual([])
  })
})

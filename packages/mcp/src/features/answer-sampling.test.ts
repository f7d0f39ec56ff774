import { scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { fixtureServer } from '../__fixtures__/fixture-server.ts'
import { openMcpServer, type OpenMcpServerOptions } from '../client/open-mcp-server.ts'
import type { McpSamplingRequest } from './mcp-client-features.ts'

const weather = { name: 'weather', description: 'Tells.', inputSchema: { type: 'object' } }
const use = { type: 'tool_use', id: 'c1', name: 'weather', input: {} }
const result = { type: 'tool_result', toolUseId: 'c1', content: [{ type: 'text', text: 'rain' }] }
const question = { role: 'user', content: { type: 'text', text: 'Rain?' } }

function open(options: OpenMcpServerOptions, params: object = {}) {
  const definition = fixtureServer('samples-with-tools.mjs', { env: { PARAMS: JSON.stringify(params) } })
  return openMcpServer(definition, options)
}

/** Lets the server send sampling parameters, and returns what the client answers. */
async function sample(params: object, model = scriptedModel(['Yes.'])): Promise<string> {
  await using server = await open({ sampling: { model } }, params)
  const { content } = await server.callTool('raw', {})
  return String(content[0]?.['text'])
}

describe.concurrent('sampling with tools', () => {
  it('a server offers tools, executes the calls of the answer, and gets the answer to its results', async () => {
    const calls = ['Bern', 'Rome'].map(city => ({ name: 'weather', input: { city } }))
    const model = scriptedModel([{ text: 'I look.', toolCalls: calls }, 'Take one.'])
    const asked: McpSamplingRequest[] = []
    await using server = await open({ sampling: { model, allow: request => asked.push(request) > 0 } })
    const { content } = await server.callTool('plan', {})
    expect(JSON.parse(String(content[0]?.['text']))).toMatchObject({
      role: 'assistant',
      content: { type: 'text', text: 'Take one.' },
      stopReason: 'endTurn',
    })
    const [first, second] = model.requests
    expect(first).toMatchObject({
      toolChoice: 'auto',
      tools: [{ name: 'weather', inputSchema: { required: ['city'] } }],
    })
    expect(second?.messages.slice(1)).toMatchObject([
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look.' },
          { type: 'tool-call', callId: 'call_1', name: 'weather', arguments: '{"city":"Bern"}' },
          { type: 'tool-call', callId: 'call_2', name: 'weather', arguments: '{"city":"Rome"}' },
        ],
      },
      { role: 'tool', callId: 'call_1', name: 'weather', content: [{ text: 'rain in Bern' }] },
      { role: 'tool', callId: 'call_2', name: 'weather', isError: true },
    ])
    expect(asked).toMatchObject([{ tools: [{ name: 'weather' }] }, { tools: [{ name: 'weather' }] }])
  })

  it('a model that cannot call tools is offered none, and the client does not declare the capability', async () => {
    const model = scriptedModel(['Yes.'], { info: { toolCalls: false } })
    await using server = await openMcpServer(fixtureServer('scripted.mjs'), { sampling: { model } })
    expect(await server.request('client/capabilities')).toEqual({ sampling: {} })
    expect(await sample({ tools: [weather] }, model)).toContain('cannot call tools')
    expect(model.requests).toEqual([])
  })

  it.each(['auto', 'required', 'none'] as const)('the model gets the tool choice %s of the server', async mode => {
    const model = scriptedModel(['Yes.'])
    await sample({ tools: [weather], toolChoice: { mode } }, model)
    expect(model.requests[0]?.toolChoice).toBe(mode)
  })

  it('an answer with calls ends with the stop reason toolUse', async () => {
    const model = scriptedModel([{ toolCalls: [{ name: 'weather', input: { city: 'Bern' } }] }])
    expect(JSON.parse(await sample({ tools: [weather] }, model))).toMatchObject({
      content: [{ type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Bern' } }],
      stopReason: 'toolUse',
    })
  })

  it.each<[string, object, string]>([
    ['a call without a result', { messages: [question, { role: 'assistant', content: [use] }] }, 'c1'],
    [
      'a result beside a text',
      {
        messages: [
          question,
          { role: 'assistant', content: [use] },
          { role: 'user', content: [result, question.content] },
        ],
      },
      'messages.2',
    ],
    ['a result without a call', { messages: [question, { role: 'user', content: [result] }] }, 'messages.1'],
    [
      'a result of another call',
      {
        messages: [
          question,
          { role: 'assistant', content: [use] },
          { role: 'user', content: [{ ...result, toolUseId: 'c2' }] },
        ],
      },
      'messages.2',
    ],
    ['two tools of one name', { tools: [weather, weather] }, 'tools.1.name'],
    ['a tool with an invalid name', { tools: [{ ...weather, name: 'a b' }] }, 'tools.0.name'],
    [
      '129 tools',
      { tools: Array.from({ length: 129 }, (_, index) => ({ ...weather, name: `t${index}` })) },
      'at most 128',
    ],
  ])('a request with %s is refused as invalid, and the model is not asked', async (_, params, where) => {
    const model = scriptedModel(['Yes.'])
    const answer = await sample({ tools: [weather], ...params }, model)
    expect(answer).toContain('-32602')
    expect(answer).toContain(where)
    expect(model.requests).toEqual([])
  })
})

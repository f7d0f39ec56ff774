import * as fc from 'fast-check'
import { ParleyError } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { toRunInput, type AgentRequestInput } from '../index.ts'
import { agentRequestSchema, parseAgentRequest } from '../schema/index.ts'

const runInput = (body: unknown) => toRunInput(parseAgentRequest(body))
const user = (...content: object[]) => ({ role: 'user', content })
const text = (words: string) => ({ type: 'text', text: words })
const data = (value: object) => [{ type: 'data', data: value }]

function refusal(body: unknown): string {
  try {
    runInput(body)
  } catch (error) {
    if (ParleyError.is(error, 'request-invalid')) return error.message
    throw error
  }
  return 'accepted'
}

describe('parseAgentRequest', () => {
  it('parseAgentRequest sets defaults and keeps unknown fields at the top level only', () => {
    const request = parseAgentRequest({ input: [{ ...user(text('hi')), mood: 1 }], shop: { id: 7 } })
    expect(request).toMatchObject({ stream: true, shop: { id: 7 }, input: [{ type: 'message', status: 'created' }] })
    expect(request.input[0]).not.toHaveProperty('mood')
  })

  it('parseAgentRequest reads words and digits as booleans and numbers', () => {
    expect(parseAgentRequest({ input: [], stream: 'Off', n: '3', temperature: '0.5', max_tokens: true })).toMatchObject(
      {
        stream: false,
        n: 3,
        temperature: 0.5,
        max_tokens: 1,
      },
    )
  })

  it('parseAgentRequest keeps all fields of a tool', () => {
    const parameters = { type: 'object', properties: {}, additionalProperties: false, $defs: { a: {} } }
    const tools = [{ type: 'function', function: { name: 'f', description: 'd', parameters } }, { anything: 1 }]
    expect(parseAgentRequest({ input: [], tools }).tools).toEqual(tools)
  })

  it.each([
    [null, 'the body'],
    [[], 'the body'],
    [{}, 'input'],
    [{ input: 'hi' }, 'input'],
    [{ input: [{ role: 'boss' }] }, 'input.0.role'],
    [{ input: [user({ text: 'no type' })] }, 'input.0.content.0.type'],
    [{ input: [user({ type: 'data', data: [1] })] }, 'input.0.content.0.data'],
    [{ input: [], n: 6 }, 'n'],
    [{ input: [], seed: 1.5 }, 'seed'],
    [{ input: [], temperature: 'hot' }, 'temperature'],
    [{ input: [], stream: null }, 'stream'],
    [{ input: [], session_id: 5 }, 'session_id'],
    [{ input: [], tools: ['f'] }, 'tools.0'],
  ])('parseAgentRequest rejects %j and names the field', (body, path) => {
    expect(refusal(body)).toMatch(`The request is invalid: ${path}: `)
  })

  it('parseAgentRequest accepts any JSON or rejects it with request-invalid', () => {
    const part = fc.record({
      type: fc.constantFrom('text', 'data', 'file', 'x'),
      data: fc.jsonValue(),
      text: fc.jsonValue(),
    })
    const message = fc.record({
      role: fc.constantFrom('user', 'assistant', 'tool', 'system', null),
      type: fc.constantFrom(
        'message',
        'plugin_call',
        'plugin_call_output',
        'mcp_approval_response',
        'reasoning',
        '__proto__',
      ),
      content: fc.oneof(fc.array(part), fc.jsonValue()),
    })
    const body = fc.oneof(
      fc.jsonValue(),
      fc.record({ input: fc.array(message), stop: fc.jsonValue(), n: fc.jsonValue() }),
    )
    fc.assert(
      fc.property(body, value => {
        expect(typeof refusal(value)).toBe('string')
      }),
    )
  })
})

describe('toRunInput', () => {
  it('toRunInput takes the last user messages as input and the rest as history', () => {
    const { input, history, sessionId, userId, responseId, stream } = runInput({
      input: [
        { role: 'system', content: [text('Be brief.')] },
        user(text('Hi')),
        { role: 'assistant', content: [text('Hello')] },
        user(text('And?')),
        { content: [text('Now.')] },
      ],
      session_id: 's',
      user_id: 'u',
      id: 'r',
      stream: false,
    })
    expect(input.content).toEqual([text('And?'), text('Now.')])
    expect(history).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [text('Hi')] },
      { role: 'assistant', content: [text('Hello')] },
    ])
    expect({ sessionId, userId, responseId, stream }).toEqual({
      sessionId: 's',
      userId: 'u',
      responseId: 'r',
      stream: false,
    })
  })

  it('toRunInput takes the id of the response from id, or from response_id', () => {
    const input = [user(text('Hi'))]
    expect(runInput({ input, response_id: 'r' }).responseId).toBe('r')
    expect(runInput({ input, id: 'a', response_id: 'r' }).responseId).toBe('a')
    expect(runInput({ input, id: null, response_id: 'r' }).responseId).toBe('r')
    expect(runInput({ input }).responseId).toBeUndefined()
    expect(refusal({ input, response_id: 7 })).toContain('response_id')
  })

  it('toRunInput joins reasoning, text and calls of one answer and skips messages that a model does not need', () => {
    const { input, history } = runInput({
      input: [
        user(text('Weather?')),
        { role: 'assistant', type: 'reasoning', content: [text('hm')] },
        { role: 'assistant', content: [text('Let me look.')] },
        { role: 'assistant', type: 'mcp_list_tools', content: data({}) },
        { role: 'assistant', type: 'plugin_call', content: data({ call_id: 'c', name: 'f', arguments: '{"a":1}' }) },
        { role: 'assistant', type: 'function_call', content: data({ call_id: 'd', name: 'g', arguments: { b: 2 } }) },
        { role: 'tool', type: 'plugin_call_output', content: data({ call_id: 'c', output: '1' }) },
        {
          role: 'tool',
          type: 'function_call_output',
          content: data({ call_id: 'd', name: 'g', output: [2], is_error: true }),
        },
      ],
    })
    expect(input).toEqual({ role: 'user', content: [] })
    expect(history).toEqual([
      { role: 'user', content: [text('Weather?')] },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'hm' },
          { type: 'text', text: 'Let me look.' },
          { type: 'tool-call', callId: 'c', name: 'f', arguments: '{"a":1}' },
          { type: 'tool-call', callId: 'd', name: 'g', arguments: '{"b":2}' },
        ],
      },
      { role: 'tool', callId: 'c', name: '', content: [text('1')] },
      { role: 'tool', callId: 'd', name: 'g', content: [text('[2]')], isError: true },
    ])
  })

  it('toRunInput reads files by URL, by data URL and as base64', () => {
    const { input } = runInput({
      input: [
        user(
          { type: 'image', image_url: 'https://x.y/a.png' },
          { type: 'image', image_url: 'data:image/jpeg;base64,QUJD' },
          { type: 'audio', data: 'QUJD', format: 'wav' },
          { type: 'audio', data: 'https://x.y/a.mp3', format: null },
          { type: 'video', video_url: 'https://x.y/v' },
          { type: 'file', file_data: 'data:application/pdf;name=a.pdf;base64,QUJD', filename: 'a.pdf' },
          { type: 'file', file_url: 'https://x.y/f' },
          { type: 'data', data: { a: 1 } },
          { type: 'image', image_url: null },
          { type: 'text', text: null },
        ),
      ],
    })
    const url = (address: string) => ({ type: 'url', url: address })
    const base64 = { type: 'base64', data: 'QUJD' }
    expect(input.content).toEqual([
      { type: 'file', mediaType: 'image/*', source: url('https://x.y/a.png') },
      { type: 'file', mediaType: 'image/jpeg', source: base64 },
      { type: 'file', mediaType: 'audio/wav', source: base64 },
      { type: 'file', mediaType: 'audio/*', source: url('https://x.y/a.mp3') },
      { type: 'file', mediaType: 'video/*', source: url('https://x.y/v') },
      { type: 'file', mediaType: 'application/pdf', source: base64, name: 'a.pdf' },
      { type: 'file', mediaType: 'application/octet-stream', source: url('https://x.y/f') },
      { type: 'text', text: '{"a":1}' },
    ])
  })

  it('toRunInput reads decisions about approvals', () => {
    const answer = (value: object) => ({ role: 'user', type: 'mcp_approval_response', content: data(value) })
    const { decisions, history } = runInput({
      input: [
        answer({ approval_request_id: 'a', approve: true }),
        answer({ approval_request_id: 'b', approve: false, reason: 'no' }),
        answer({ approval_request_id: 'c', approve: false }),
        answer({ approval_request_id: 'd', escalate_to: 'expert' }),
      ],
    })
    expect(history).toEqual([])
    expect(decisions).toEqual([
      { approvalId: 'a', decision: { type: 'approved' } },
      { approvalId: 'b', decision: { type: 'rejected', reason: 'no' } },
      { approvalId: 'c', decision: { type: 'rejected', reason: 'The user refused.' } },
      { approvalId: 'd', decision: { type: 'escalated', agent: 'expert' } },
    ])
  })

  it('toRunInput passes on model and settings', () => {
    const { settings, model } = runInput({
      input: [],
      model: 'm',
      temperature: 1,
      top_p: 0.5,
      max_tokens: 9,
      stop: 'x',
      seed: 7,
    })
    expect(model).toBe('m')
    expect(settings).toEqual({ temperature: 1, topP: 0.5, maxOutputTokens: 9, stopSequences: ['x'], seed: 7 })
    expect(runInput({ input: [], max_tokens: -1, stop: [], temperature: null }).settings).toEqual({})
  })

  it.each([{ temperature: -1 }, { top_p: 1.5 }, { frequency_penalty: -3 }, { presence_penalty: 2.1 }, { stop: [''] }])(
    'toRunInput leaves out a setting that no model takes: %j',
    settings => {
      expect(runInput({ input: [], ...settings }).settings).toEqual({})
    },
  )

  it.each([
    [{ role: 'assistant', type: 'plugin_call', content: data({ name: 'f' }) }, 'input.0.content.0.data.call_id'],
    [{ role: 'assistant', type: 'plugin_call', content: data({ call_id: 'c' }) }, 'input.0.content.0.data.name'],
    [{ role: 'tool', type: 'plugin_call_output', content: [] }, 'input.0.content'],
    [{ type: 'mcp_approval_response', content: data({ approval_request_id: 'a', approve: 'yes' }) }, 'data.approve'],
    [
      {
        type: 'mcp_approval_response',
        content: data({ approval_request_id: 'a', approve: true, escalate_to: 'expert' }),
      },
      'data.escalate_to',
    ],
    [user({ type: 'file', file_id: 'f-1' }), 'input.0.content.0.file_id'],
  ])('toRunInput rejects %j with request-invalid', (message, path) => {
    expect(refusal({ input: [message] })).toContain(path)
  })

  it('agentRequestSchema accepts a value of AgentRequestInput', () => {
    const request: AgentRequestInput = { input: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }], shop: 7 }
    expect(agentRequestSchema.parse(request)).toMatchObject({ shop: 7 })
  })
})

import { describe, expect, it } from 'vitest'
import { fromChatChunk } from './from-chat-chunk.ts'

const delta = (value: unknown): unknown => ({ choices: [{ index: 0, delta: value, finish_reason: null }] })

describe('fromChatChunk', () => {
  it('fromChatChunk reads text from a delta and from a message', () => {
    expect(fromChatChunk(delta({ content: 'hi' })).text).toBe('hi')
    expect(fromChatChunk({ choices: [{ message: { content: 'hi' }, finish_reason: 'stop' }] })).toMatchObject({
      text: 'hi',
      finish: 'stop',
    })
  })

  it('fromChatChunk reads nothing from null, empty choices and chunks without choices', () => {
    for (const chunk of [
      delta({ content: null, tool_calls: null, refusal: '' }),
      { choices: [] },
      { id: 'x' },
      null,
      7,
    ])
      expect(fromChatChunk(chunk)).toMatchObject({ text: '', reasoning: '', refusal: '', calls: [], finish: '' })
  })

  it('fromChatChunk reads only the choice with index 0', () => {
    const other = { index: 1, delta: { content: 'no' } }
    expect(fromChatChunk({ choices: [other] }).text).toBe('')
    expect(fromChatChunk({ choices: [other, { index: 0, delta: { content: 'yes' } }] }).text).toBe('yes')
  })

  it.each([
    { reasoning_content: 'why' },
    { reasoning: 'why' },
    { reasoning_details: [{ type: 'reasoning.text', text: 'why' }] },
    { reasoning_details: [{ type: 'reasoning.summary', summary: 'why' }] },
    { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'why' }] }] },
    { content: [{ type: 'thinking', thinking: 'why' }] },
    { reasoning: 'why', reasoning_content: 'why', reasoning_details: [{ text: 'why' }] },
  ])('fromChatChunk reads reasoning once from %j', value => {
    expect(fromChatChunk(delta(value))).toMatchObject({ reasoning: 'why', text: '' })
  })

  it('fromChatChunk reads the text parts of a list', () => {
    const content = [
      { type: 'thinking', thinking: 'why' },
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ]
    expect(fromChatChunk(delta({ content }))).toMatchObject({ text: 'ab', reasoning: 'why' })
  })

  it('fromChatChunk reads the transcript of a spoken answer', () => {
    expect(fromChatChunk(delta({ content: null, audio: { transcript: 'hi' } })).text).toBe('hi')
  })

  it('fromChatChunk reads usage from every known place', () => {
    const usage = { prompt_tokens: 1 }
    for (const chunk of [{ usage }, { usage: null, x_groq: { usage } }, { choices: [{ delta: {}, usage }] }])
      expect(fromChatChunk(chunk).usage).toEqual(usage)
    expect(fromChatChunk({ usage: null }).usage).toBeUndefined()
  })

  it('fromChatChunk reads an error beside an answer', () => {
    expect(fromChatChunk({ error: { code: 502 }, choices: [{ delta: { content: 'a' } }] })).toMatchObject({
      text: 'a',
      error: { code: 502 },
    })
    expect(fromChatChunk({ error: null }).error).toBeUndefined()
  })

  it('fromChatChunk reads the fragments of tool calls, including legacy ones', () => {
    const call = { index: 1, id: 'c', function: { name: 'f', arguments: '{' } }
    expect(fromChatChunk(delta({ tool_calls: [call] })).calls).toEqual([
      { index: 1, id: 'c', name: 'f', arguments: '{', extra: undefined },
    ])
    expect(
      fromChatChunk(delta({ tool_calls: [{ id: 7, function: { name: 'f', arguments: { a: 1 } } }] })).calls,
    ).toEqual([{ index: undefined, id: '7', name: 'f', arguments: '{"a":1}', extra: undefined }])
    expect(fromChatChunk(delta({ function_call: { name: 'f', arguments: '{}' } })).calls).toHaveLength(1)
    expect(fromChatChunk(delta({ function_call: { name: '', arguments: '' } })).calls).toEqual([])
  })
})

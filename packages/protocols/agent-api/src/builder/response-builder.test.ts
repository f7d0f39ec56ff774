import * as fc from 'fast-check'
import { ParleyError } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { checkAgentEvents } from '../check/index.ts'
import { generateStreamingResponse, ResponseBuilder, type AgentEvent } from '../index.ts'

const now = () => 1_750_000_000_000

function kinds(events: readonly AgentEvent[]): string[] {
  return events.map(event => {
    const kind = event.object === 'content' && event.delta ? 'delta' : event.status
    return `${event.object} ${kind}`
  })
}

function misuse(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    if (ParleyError.is(error, 'config-invalid')) return error.message
  }
  return 'no misuse'
}

describe('a response builder', () => {
  it('the response builder numbers a stream that is built step by step', () => {
    const response = new ResponseBuilder({ sessionId: 's1', responseId: 'r1', now })
    const message = response.createMessageBuilder({ role: 'assistant', messageType: 'message' })
    const text = message.createContentBuilder('text', { index: 0 })
    const events = [
      ...response.created(),
      ...response.inProgress(),
      ...text.addTextDelta('Hello'),
      ...text.addDelta(' World'),
      ...text.complete(),
      ...message.complete({ usage: { input_tokens: 1, output_tokens: 2 }, metadata: { mood: 'good' } }),
      ...response.completed({ usage: { input_tokens: 1, output_tokens: 2 } }),
    ]
    expect(kinds(events)).toEqual([
      'response created',
      'response in_progress',
      'message in_progress',
      'content delta',
      'content delta',
      'content completed',
      'message completed',
      'response completed',
    ])
    expect(events.map(event => event.sequence_number)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    expect(events.at(-1)).toMatchObject({
      id: 'r1',
      session_id: 's1',
      created_at: 1_750_000_000,
      completed_at: 1_750_000_000,
      error: null,
      output: [
        { content: [{ type: 'text', text: 'Hello World', index: 0, delta: false }], metadata: { mood: 'good' } },
      ],
    })
    expect(checkAgentEvents(events)).toEqual([])
  })

  it('a step of the response builder announces what is missing, and an end closes what is open below', () => {
    const response = new ResponseBuilder()
    const first = response.createMessageBuilder({ messageType: 'reasoning' })
    const second = response.createMessageBuilder()
    const events = [
      ...first.createContentBuilder().addTextDelta('hm'),
      ...second.createContentBuilder('data').setData({ a: 1 }),
      ...second.createContentBuilder('text').addTextDelta('a'),
      ...response.completed(),
    ]
    expect(kinds(events)).toEqual([
      'response created',
      'response in_progress',
      'message in_progress',
      'content delta',
      'message in_progress',
      'content in_progress',
      'content completed',
      'content delta',
      'content completed',
      'message completed',
      'content completed',
      'message completed',
      'response completed',
    ])
    expect(checkAgentEvents(events)).toEqual([])
  })

  it('the response builder ends every layer once', () => {
    const response = new ResponseBuilder()
    const message = response.createMessageBuilder()
    const text = message.createContentBuilder('text')
    text.addTextDelta('a')
    expect(text.complete()).toHaveLength(1)
    expect(text.complete()).toEqual([])
    expect(message.complete()).toHaveLength(1)
    expect(message.failed({ code: 'X', message: 'y' })).toEqual([])
    expect(response.completed()).toHaveLength(1)
    expect(response.canceled()).toEqual([])
    expect(response.getResponseData()).toMatchObject({ status: 'completed', output: [{ content: [{ text: 'a' }] }] })
  })

  it('the response builder gives out frozen snapshots', () => {
    const data = { list: [1] }
    const response = new ResponseBuilder()
    const part = response.createMessageBuilder().createContentBuilder('data')
    const event = part.setData(data).at(-1)
    data.list.push(2)
    part.addDataDelta({ list: [3] })
    expect(event).toMatchObject({ data: { list: [1] } })
    expect(Object.isFrozen(event)).toBe(true)
    expect(() => (event as unknown as { data: typeof data }).data.list.push(4)).toThrow(TypeError)
    expect(response.completed().at(-1)).toMatchObject({ output: [{ content: [{ data: { list: [1, 3] } }] }] })
  })

  it('addDataDelta merges the delta into the data', () => {
    const part = new ResponseBuilder().createMessageBuilder().createContentBuilder('data')
    part.setData({ text: 'a', count: 1, flag: true, list: [1], inner: { text: 'x' } })
    part.addDataDelta({ text: 'b', count: 2, flag: false, list: [2], inner: { text: 'y', more: 1 } })
    part.updateData('count', 9)
    expect(part.getContentData()).toMatchObject({
      data: { text: 'ab', count: 9, flag: false, list: [1, 2], inner: { text: 'xy', more: 1 } },
    })
  })

  it('the response builder supports every type of content', () => {
    const response = new ResponseBuilder()
    const message = response.createMessageBuilder()
    const events = [
      ...message.createContentBuilder('image').setImageUrl('https://x.y/a.png'),
      ...message.createContentBuilder('audio').setAudio({ data: 'AAAA', format: 'wav' }),
      ...message.createContentBuilder('video').setVideoUrl('https://x.y/v.mp4'),
      ...message.createContentBuilder('file').setFile({ file_url: 'https://x.y/f', filename: 'f' }),
      ...message.createContentBuilder('refusal').setRefusal('No.'),
      ...message.addContent('text', { text: 'end' }),
      ...response.completed(),
    ]
    expect(checkAgentEvents(events)).toEqual([])
    expect(events.at(-1)).toMatchObject({
      output: [
        {
          content: [
            { image_url: 'https://x.y/a.png' },
            { data: 'AAAA', format: 'wav' },
            { video_url: 'https://x.y/v.mp4' },
            { file_url: 'https://x.y/f', filename: 'f', file_id: null, file_data: null },
            { refusal: 'No.' },
            { text: 'end' },
          ],
        },
      ],
    })
  })

  it.each([
    ['failed', 'failed', 'incomplete'],
    ['canceled', 'canceled', 'canceled'],
    ['incomplete', 'incomplete', 'incomplete'],
  ] as const)('the response builder keeps the written text when it ends as %s', (status, ofMessage, ofPart) => {
    const response = new ResponseBuilder()
    const events = [...response.createMessageBuilder().createContentBuilder().addTextDelta('half an ans')]
    const error = { code: 'WHY', message: 'that is why' }
    events.push(...response[status](error))
    expect(checkAgentEvents(events)).toEqual([])
    expect(events.at(-1)).toMatchObject({
      status,
      error,
      output: [{ status: ofMessage, content: [{ status: ofPart, text: 'half an ans' }] }],
    })
  })

  it('the response builder can reject a request before it is in progress', () => {
    const events = new ResponseBuilder().rejected({ code: 'SESSION_BUSY', message: 'Later.' })
    expect(kinds(events)).toEqual(['response created', 'response rejected'])
    expect(checkAgentEvents(events)).toEqual([])
  })

  it.each(['canceled', 'incomplete', 'rejected'] as const)('the reference profile reports %s as failed', status => {
    const response = new ResponseBuilder({ profile: 'reference' })
    const events = [...response.createMessageBuilder().createContentBuilder().addTextDelta('half')]
    events.push(
      ...(status === 'rejected' ? response.rejected({ code: 'REJECTED', message: 'No.' }) : response[status]()),
    )
    expect(events.at(-1)).toMatchObject({
      status: 'failed',
      error: { code: status.toUpperCase() },
      output: [{ status: 'failed' }],
    })
    expect(checkAgentEvents(events)).toEqual([])
  })

  it('the response builder sends queued, errors and heartbeats', () => {
    const response = new ResponseBuilder()
    const events = [
      ...response.queued(),
      ...response.heartbeat(),
      ...response.addError({ code: 'TOOL_ERROR', message: 'It broke.' }),
      ...response.completed(),
    ]
    expect(kinds(events).slice(0, 3)).toEqual(['response created', 'response queued', 'response in_progress'])
    expect(events.at(-1)).toMatchObject({ output: [{ type: 'error', code: 'TOOL_ERROR', message: 'It broke.' }] })
    expect(checkAgentEvents(events)).toEqual([])
  })

  it('the response builder rejects misuse and names the reason', () => {
    const response = new ResponseBuilder()
    const message = response.createMessageBuilder({ id: 'm' })
    const text = message.createContentBuilder('text')
    expect(misuse(() => message.createContentBuilder('image').complete())).toContain(
      'requires a value of type image before it is completed',
    )
    expect(misuse(() => (text as never as { setImageUrl(url: string): void }).setImageUrl('u'))).toBe(
      'm.content.next: must be of type image, not text',
    )
    expect(misuse(() => text.addTextDelta(5 as never))).toBe('m.content.next: must be a valid value of type text')
    text.addTextDelta('a')
    text.complete()
    expect(misuse(() => text.addTextDelta('b'))).toBe('m.content.0: has ended as completed; start another part')
    expect(misuse(() => message.createContentBuilder('text', { index: 3 }).setText('c'))).toBe(
      'm.content.3: must have the index 1 of the next part',
    )
    expect(misuse(() => response.createMessageBuilder({ messageType: 'plugin_call', role: 'user', id: 'p' }))).toBe(
      'p.role: must be assistant for plugin_call, not user',
    )
    const late = message.createContentBuilder('text')
    response.completed()
    expect(misuse(() => late.addTextDelta('d'))).toBe('m: has ended as completed')
    expect(misuse(() => response.inProgress())).toContain('has ended as completed')
  })

  it('the response builder checks that outputs belong to calls', () => {
    const response = new ResponseBuilder()
    const add = (messageType: 'plugin_call' | 'plugin_call_output', data: Record<string, unknown>) =>
      response.createMessageBuilder({ messageType, id: 'm' }).addContent('data', { data })
    expect(misuse(() => add('plugin_call_output', { call_id: 'c', output: '' }))).toContain(
      "'c' must be the id of an earlier call",
    )
    add('plugin_call', { call_id: 'c', name: 'f', arguments: '{}' })
    expect(misuse(() => add('plugin_call', { call_id: 'c', name: 'f', arguments: '{}' }))).toContain(
      'is already the id of a call',
    )
    expect(misuse(() => add('plugin_call', { call_id: 'd', name: 'f', arguments: {} }))).toContain(
      'arguments: must be a string',
    )
    add('plugin_call_output', { call_id: 'c', output: '1' })
  })

  it('any sequence of builder calls gives a stream without violations', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), steps => {
        const events = play(steps)
        expect(checkAgentEvents(events)).toEqual([])
      }),
      { numRuns: 500 },
    )
  })
})

describe('generateStreamingResponse', () => {
  it('generateStreamingResponse makes a whole stream from text pieces', () => {
    const events = [...generateStreamingResponse(['Hello', ' ', 'World', '!'], { sessionId: 's' })]
    expect(events).toHaveLength(10)
    expect(events.at(-1)).toMatchObject({ session_id: 's', output: [{ content: [{ text: 'Hello World!' }] }] })
    expect(checkAgentEvents(events)).toEqual([])
  })

  it('generateStreamingResponse makes a valid stream without pieces', () => {
    expect(checkAgentEvents([...generateStreamingResponse([])])).toEqual([])
  })
})

const step = fc.record({
  on: fc.constantFrom('response', 'message', 'text', 'data'),
  act: fc.nat(7),
  message: fc.nat(2),
  text: fc.string({ maxLength: 3 }),
  data: fc.dictionary(fc.constantFrom('a', 'b'), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 2 }),
})
type Step = typeof step extends fc.Arbitrary<infer TStep> ? TStep : never

/** Calls any method of three messages with two parts each. Misuse is rejected and sends nothing. */
function play(steps: readonly Step[]): AgentEvent[] {
  const response = new ResponseBuilder({ now })
  const messages = [0, 1, 2].map(() => {
    const message = response.createMessageBuilder()
    return { message, text: message.createContentBuilder('text'), data: message.createContentBuilder('data') }
  })
  const events: AgentEvent[] = []
  const error = { code: 'X', message: 'y' }
  for (const { on, act, message: index, text: words, data: value } of steps) {
    const { message, text, data } = messages[index]!
    const acts = {
      response: [
        () => response.created(),
        () => response.queued(),
        () => response.inProgress(),
        () => response.heartbeat(),
        () => response.addError(error),
      ],
      message: [
        () => message.inProgress(),
        () => message.complete(),
        () => message.failed(error),
        () => message.canceled(),
        () => message.rejected(),
        () => message.incomplete(),
      ],
      text: [
        () => text.addTextDelta(words),
        () => text.setText(words),
        () => text.complete(),
        () => text.completeWith({ text: words }),
      ],
      data: [
        () => data.setData(value),
        () => data.addDataDelta(value),
        () => data.updateData('a', words),
        () => data.complete(),
        () => data.completeWith({ data: value }),
      ],
    }[on]
    try {
      events.push(...acts[act % acts.length]!())
    } catch (caught) {
      if (!ParleyError.is(caught, 'config-invalid')) throw caught
    }
  }
  const ends = [() => response.completed(), () => response.failed(error), () => response.canceled()]
  events.push(...ends[steps.length % ends.length]!())
  return events
}

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createStreamChecker } from '../check/index.ts'
import {
  encodeNdjson,
  encodeSse,
  generateStreamingResponse,
  readAgentStream,
  ResponseBuilder,
  responseText,
  type AgentEvent,
} from '../index.ts'

const hello = [...generateStreamingResponse(['Hel', 'lo \u{1f680}', ' \u2028'], { responseId: 'r', now: () => 1000 })]
const bytes = (text: string) => new TextEncoder().encode(text)

async function read(source: Parameters<typeof readAgentStream>[0]) {
  const stream = readAgentStream(source)
  const events: AgentEvent[] = []
  for await (const event of stream) events.push(event)
  return { events, response: stream.current }
}

/** Minimal events as server-sent events. */
const sse = (...events: object[]) => events.map(event => `data: ${JSON.stringify(event)}\n\n`).join('')
const created = { object: 'response', status: 'created', id: 'r', created_at: 1 }

describe('readAgentStream', () => {
  it('readAgentStream gives the sent events, wherever the bytes are split', async () => {
    const sent = bytes(hello.map(encodeSse).join(': ping\n\n'))
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(sent.length), { maxLength: 12 }), async cuts => {
        const at = [0, ...cuts.toSorted((a, b) => a - b), sent.length]
        const chunks = at.slice(1).map((to, index) => sent.subarray(at[index], to))
        expect((await read(chunks)).events).toEqual(hello)
      }),
    )
  })

  it.each([
    ['lines of JSON', [hello.map(encodeNdjson).join('')]],
    ['events', hello],
    ['CRLF', [hello.map(encodeSse).join('').replaceAll('\n', '\r\n')]],
    ['CR', [hello.map(encodeSse).join('').replaceAll('\n', '\r')]],
    ['no space', [hello.map(encodeSse).join('').replaceAll('data: ', 'data:')]],
    ['a byte order mark', [`\uFEFF${hello.map(encodeSse).join('')}`]],
    ['a sentinel', [`${hello.map(encodeSse).join('')}data: [DONE]\n\n`]],
    ['no last empty line', [hello.map(encodeSse).join('').trimEnd()]],
  ])('readAgentStream reads %s', async (_, chunks) => {
    expect((await read(chunks)).events).toEqual(hello)
  })

  it('response() gives the whole response without iteration', async () => {
    const response = await readAgentStream(hello).response()
    expect(response).toEqual(hello.at(-1))
    expect(responseText(response)).toBe('Hello \u{1f680} \u2028')
  })

  it('readAgentStream tolerates missing announcements, ends, indexes and fields, and numbers as strings', async () => {
    const text = sse(
      created,
      { object: 'content', type: 'text', text: 'Hel', delta: true, msg_id: 'm', index: 0, sequence_number: '1' },
      { object: 'content', type: 'text', text: 'lo', delta: true, msg_id: 'm', status: 'in_progress' },
      { object: 'content', type: 'text', text: null, delta: null, msg_id: 'm', status: 'completed', index: null },
      { object: 'message', id: 'n', status: 'created', type: 'reasoning' },
      { object: 'content', type: 'text', text: 'hm', delta: true, msg_id: 'n' },
      { object: 'surprise' },
      { object: 'content', type: 'hologram', msg_id: 'n' },
      { object: 'response', status: 'completed', id: 'r', created_at: 1, completed_at: 2, output: null },
    )
    const { events, response } = await read([text])
    expect(events).toHaveLength(7)
    expect(events[1]).toMatchObject({ sequence_number: 1, index: 0 })
    expect(response).toMatchObject({
      status: 'completed',
      output: [
        { id: 'm', role: 'assistant', content: [{ text: 'Hello', status: 'completed', index: 0, delta: false }] },
        { id: 'n', type: 'reasoning', content: [{ text: 'hm' }] },
      ],
    })
  })

  it.each([
    ['stops', []],
    ['is not an event stream', ['<html>']],
  ])('readAgentStream ends a stream that %s as failed', async (_, chunks: string[]) => {
    const { events } = await read(chunks)
    expect(events).toMatchObject([{ object: 'response', status: 'failed', error: { code: 'STREAM_ENDED' } }])
  })

  it('readAgentStream ends a stream that breaks as failed, with the text so far', async () => {
    async function* breaking() {
      yield sse(created, { object: 'content', type: 'text', text: 'half', delta: true, msg_id: 'm', index: 0 })
      throw new Error('socket hang up')
    }
    const { events, response } = await read(breaking())
    expect(events.at(-1)).toMatchObject({
      sequence_number: null,
      status: 'failed',
      error: { code: 'STREAM_ENDED', message: 'socket hang up' },
    })
    expect(response && responseText(response)).toBe('half')
  })

  it('readAgentStream treats a bare error as the end', async () => {
    const { events } = await read([sse(created, { error: 'busy' }, created)])
    expect(events).toHaveLength(2)
    expect(events.at(-1)).toMatchObject({ id: 'r', status: 'failed', error: { message: 'busy' } })
  })

  it('the response keeps streamed content that the final response lacks', async () => {
    const builder = new ResponseBuilder({ responseId: 'r', now: () => 1000 })
    const events = [...builder.createMessageBuilder().createContentBuilder().addTextDelta('half')]
    const failed = { ...created, status: 'failed', error: { code: 'X', message: 'y' }, output: null }
    const response = await readAgentStream([...events, failed]).response()
    expect(responseText(response)).toBe('half')
  })

  it('readAgentStream follows a server that restarts the stream', async () => {
    const response = await readAgentStream([...hello.slice(0, 5), ...hello]).response()
    expect(response).toEqual(hello.at(-1))
  })

  it('a reader that leaves during a pending event leaves the source at once', async () => {
    let left = 0
    const stream = readAgentStream({
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise<never>(() => {}),
        return: async () => {
          left++
          return { value: undefined, done: true as const }
        },
      }),
    })
    const pending = stream.next()
    await stream.return?.()
    expect(left).toBe(1)
    void pending
  })

  it('any input ends with exactly one terminal event', async () => {
    const junk = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.json().map(text => `data: ${text}\n\n`),
      fc.record({
        object: fc.constantFrom('response', 'message', 'content', 'x'),
        status: fc.anything(),
        id: fc.anything(),
      }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(junk, { maxLength: 8 }), async chunks => {
        const { events } = await read(chunks)
        const ends = ['completed', 'failed', 'canceled', 'rejected', 'incomplete']
        const terminal = events.map(event => event.object === 'response' && ends.includes(event.status))
        expect(terminal.indexOf(true)).toBe(events.length - 1)
      }),
    )
  })

  it('an observer sees everything, even after the end', async () => {
    const observer = createStreamChecker()
    await readAgentStream([hello.map(encodeSse).join(''), 'data: [DONE]\r\n\n'], { observer }).response()
    expect(observer.violations.map(({ detail }) => detail.split(':')[0])).toEqual(['carriage-return', 'sentinel'])
  })
})

import { Int64, type MessageHeaders } from '@smithy/eventstream-codec'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { eventStreamCodec, frameOf, joinBytes } from '../__fixtures__/event-stream.ts'
import { createEventStreamParser, type EventStreamMessage } from './create-event-stream-parser.ts'

interface Parsed {
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

function parse(chunks: readonly Uint8Array[]): Parsed[] {
  const messages: Parsed[] = []
  const parser = createEventStreamParser(({ headers, payload }: EventStreamMessage) => {
    messages.push({ headers, text: new TextDecoder().decode(payload) })
  })
  for (const chunk of chunks) parser.feed(chunk)
  return messages
}

const message = fc.record({
  headers: fc.dictionary(fc.stringMatching(/^:?[a-z-]{1,20}$/), fc.string({ maxLength: 40 }), { maxKeys: 4 }),
  text: fc.string({ maxLength: 200 }),
})

describe('createEventStreamParser', () => {
  it("the event stream parser reads what AWS's codec writes, for any chunks", () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 5 }), fc.array(fc.nat(60), { maxLength: 40 }), (messages, sizes) => {
        const bytes = joinBytes(messages.map(({ headers, text }) => frameOf(headers, text)))
        const chunks: Uint8Array[] = []
        let at = 0
        for (const size of sizes) chunks.push(bytes.subarray(at, (at += size)))
        chunks.push(bytes.subarray(at))
        expect(parse(chunks)).toEqual(messages.map(({ headers, text }) => ({ headers: { ...headers }, text })))
      }),
    )
  })

  it('the event stream parser throws for every changed byte', () => {
    const whole = frameOf({ ':event-type': 'chunk' }, '{"bytes":"e30="}')
    for (let at = 0; at < whole.length; at++) {
      const damaged = Uint8Array.from(whole)
      damaged[at] = (damaged[at] ?? 0) ^ 0x10
      expect(() => parse([damaged])).toThrow('damaged')
    }
  })

  it('the event stream parser hands over nothing of an incomplete message', () => {
    const whole = frameOf({ a: 'b' }, 'text')
    for (let length = 0; length < whole.length; length++) expect(parse([whole.subarray(0, length)])).toEqual([])
  })

  it('the event stream parser skips headers that are not strings', () => {
    const bytes = new Uint8Array([1, 2, 3])
    const headers: MessageHeaders = {
      yes: { type: 'boolean', value: true },
      no: { type: 'boolean', value: false },
      byte: { type: 'byte', value: 1 },
      short: { type: 'short', value: 2 },
      integer: { type: 'integer', value: 3 },
      long: { type: 'long', value: Int64.fromNumber(4) },
      bytes: { type: 'binary', value: bytes },
      time: { type: 'timestamp', value: new Date(0) },
      uuid: { type: 'uuid', value: 'a1b2c3d4-0000-4000-8000-000000000000' },
      text: { type: 'string', value: 'x' },
    }
    expect(parse([eventStreamCodec.encode({ headers, body: bytes })])).toMatchObject([{ headers: { text: 'x' } }])
    expect(Object.keys(parse([eventStreamCodec.encode({ headers, body: bytes })])[0]?.headers ?? {})).toEqual(['text'])
  })
})

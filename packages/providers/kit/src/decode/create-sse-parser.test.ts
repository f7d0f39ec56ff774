import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSseParser } from './create-sse-parser.ts'

function parse(chunks: readonly (Uint8Array | string)[]): string[][] {
  const events: string[][] = []
  const parser = createSseParser((data, name) => events.push([data, name]))
  for (const chunk of chunks) parser.feed(chunk)
  parser.end()
  return events
}

function cut(bytes: Uint8Array, at: readonly number[]): Uint8Array[] {
  const points = [0, ...at.map(point => point % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  return points.slice(1).map((end, index) => bytes.subarray(points[index], end))
}

describe('createSseParser', () => {
  it('the SSE parser hands over the data and the name of an event', () => {
    expect(parse(['event: ping\ndata: {"a":1}\n\ndata:2\n\n'])).toEqual([
      ['{"a":1}', 'ping'],
      ['2', ''],
    ])
  })

  it('the SSE parser joins data lines by LF and removes one leading space only', () => {
    expect(parse(['data: {\ndata:  "a": 1\ndata:}\n\n'])).toEqual([['{\n "a": 1\n}', '']])
  })

  it('the SSE parser skips comments, unknown fields and events without data', () => {
    expect(parse([': hello\n\nid: 7\nretry: 10\nx: y\n\ndata:\n\ndata\n\ndata: 1\n\n'])).toEqual([['1', '']])
  })

  it('the SSE parser forgets the name of an event without data', () => {
    expect(parse(['event: ping\n\ndata: 1\n\n'])).toEqual([['1', '']])
  })

  it('the SSE parser reports a field named error as an event named error', () => {
    expect(parse(['data: 1\n\nerror: {"code":500}\n\n'])).toEqual([
      ['1', ''],
      ['{"code":500}', 'error'],
    ])
  })

  it('the SSE parser accepts a complete last event without a blank line, and drops an incomplete one', () => {
    expect(parse(['data: {"a":1}'])).toEqual([['{"a":1}', '']])
    expect(parse(['data: {"a":1}\n'])).toEqual([['{"a":1}', '']])
    expect(parse(['data: [DONE]'])).toEqual([['[DONE]', '']])
    expect(parse(['data: {"a":'])).toEqual([])
  })

  it('the SSE parser drops a byte order mark, in bytes and in text', () => {
    expect(parse(['\uFEFFdata: 1\n\n'])).toEqual([['1', '']])
    expect(parse([new Uint8Array([0xef, 0xbb]), new Uint8Array([0xbf]), 'data: 1\n\n'])).toEqual([['1', '']])
  })

  it('the SSE parser hands over the same events for any chunks and line ends', () => {
    const data = fc.string({ unit: 'grapheme', minLength: 1 }).filter(text => !/[\r\n]/.test(text))
    const events = fc.array(fc.array(data, { minLength: 1, maxLength: 3 }), { maxLength: 6 })
    const eol = fc.constantFrom('\n', '\r\n', '\r')
    fc.assert(
      fc.property(events, eol, fc.array(fc.nat(), { maxLength: 30 }), (payloads, end, cuts) => {
        const text = payloads
          .map(lines => `: hi${end}${lines.map(line => `data: ${line}${end}`).join('')}${end}`)
          .join('')
        const expected = payloads.map(lines => [lines.join('\n'), '']).filter(([joined]) => joined !== '')
        expect(parse(cut(new TextEncoder().encode(text), cuts))).toEqual(expected)
      }),
    )
  })

  it('the SSE parser takes the LF of a CRLF in the next chunk, and no later one, as a part of the line end', () => {
    expect(parse(['data: 1\r', '\ndata: 2\n', '\n'])).toEqual([['1\n2', '']])
    expect(parse(['data: 1\r', 'data: 2\n', '\ndata: 3\n\n'])).toEqual([
      ['1\n2', ''],
      ['3', ''],
    ])
  })

  it('the SSE parser accepts one byte at a time', () => {
    const bytes = new TextEncoder().encode('\uFEFFevent: a\r\ndata: "é😀"\r\n\r\ndata: 2\r\r')
    expect(parse(Array.from(bytes, byte => new Uint8Array([byte])))).toEqual([
      ['"é😀"', 'a'],
      ['2', ''],
    ])
  })
})

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEventDecoder, type WireFault } from '../index.ts'

function decode(chunks: readonly (string | Uint8Array)[]) {
  const faults: WireFault[] = []
  const decoder = createEventDecoder({ onFault: fault => faults.push(fault) })
  const found = [...chunks.flatMap(chunk => decoder.push(chunk)), ...decoder.end()]
  return { found, faults: faults.map(({ code }) => code), lines: faults.map(({ line }) => line) }
}

describe('an event decoder', () => {
  it.each(['\n', '\r\n', '\r'])(
    'the event decoder joins data lines that end with %j, wherever the text is split',
    lineEnd => {
      const text = ['id: 1', 'data: {"a":', 'data: 1}', '', ': ping', 'data: {"b":2}', '', ''].join(lineEnd)
      fc.assert(
        fc.property(fc.array(fc.nat(text.length), { maxLength: 6 }), cuts => {
          const at = [0, ...cuts.toSorted((a, b) => a - b), text.length]
          const { found } = decode(at.slice(1).map((to, index) => text.slice(at[index], to)))
          expect(found).toEqual([{ a: 1 }, { b: 2 }])
        }),
      )
    },
  )

  it('the event decoder reports no fault in a valid stream', () => {
    expect(decode([': hi\n\nid: 0\ndata: {"a":1}\n\n', 'event: x\nretry: 5\ndata: {"b":"\\u2028"}\n\n'])).toEqual({
      found: [{ a: 1 }, { b: '\u2028' }],
      faults: [],
      lines: [],
    })
  })

  it.each([
    ['utf-8', [new Uint8Array([0x64, 0x61, 0x74, 0x61, 0x3a, 0x20, 0x7b, 0x7d, 0xff, 0x0a, 0x0a])]],
    ['byte-order-mark', ['\uFEFFdata: {}\n\n']],
    ['carriage-return', ['data: {}\r\n\r\n']],
    ['line-separator', ['data: {"a":"\u2028"}\n\n']],
    ['field', ['data:{}\n\n']],
    ['field', ['hello\n\ndata: {}\n\n']],
    ['field', ['data: {\ndata: }\n\n']],
    ['json', ['data: {x}\n\n']],
    ['json', ['data: [1]\n\n']],
    ['sentinel', ['data: [DONE]\n\n']],
    ['unclosed-event', ['data: {}\n']],
  ])('the event decoder reports the fault %s', (code, chunks) => {
    expect(decode(chunks).faults).toContain(code)
  })

  it('a wire fault has its line number', () => {
    expect(decode(['data: {}\n\ndata:{}\n\n']).lines).toEqual([3])
  })
})

it.each([
  ['a line', 'a'.repeat(1_048_576)],
  ['an event', `data: ${'a'.repeat(1_048_576)}\n`],
])('the event decoder fails once %s has more than 32 MiB', (what, piece) => {
  const decoder = createEventDecoder({ url: 'http://a.b/process' })
  let read = 0
  expect(() => {
    for (; read < 100; read += 1) decoder.push(piece)
  }).toThrow(`The agent at http://a.b/process did not answer: it sent ${what} of more than 33554432 characters`)
  expect(read).toBeLessThanOrEqual(32)
})

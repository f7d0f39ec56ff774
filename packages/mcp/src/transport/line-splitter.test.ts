import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createLineSplitter } from './line-splitter.ts'

function split(chunks: readonly Buffer[], maxBytes = 1_000_000): { lines: string[]; whole: boolean } {
  const lines: string[] = []
  const splitter = createLineSplitter({ maxBytes, onLine: line => lines.push(line) })
  const whole = chunks.every(chunk => splitter.push(chunk))
  return { lines, whole }
}

it('the line splitter gives the same lines however the bytes are split into chunks', () => {
  const texts = fc.array(fc.string({ unit: 'grapheme' }).map(text => text.replaceAll('\n', '')))
  fc.assert(
    fc.property(texts, fc.array(fc.nat(20)), (expected, sizes) => {
      const bytes = Buffer.from(expected.map(text => `${text}\n`).join(''))
      const chunks: Buffer[] = []
      let from = 0
      for (const size of sizes) {
        chunks.push(bytes.subarray(from, from + size))
        from += size
      }
      chunks.push(bytes.subarray(from))
      expect(split(chunks)).toEqual({ lines: expected, whole: true })
    }),
  )
})

it('the line splitter holds back an unfinished line', () => {
  expect(split([Buffer.from('one\ntwo')]).lines).toEqual(['one'])
})

it('the line splitter accepts a line of exactly maxBytes and rejects one byte more, even before its end', () => {
  expect(split([Buffer.from('abcde\n')], 5)).toEqual({ lines: ['abcde'], whole: true })
  expect(split([Buffer.from('abc'), Buffer.from('def')], 5)).toEqual({ lines: [], whole: false })
})

it('the line splitter reads nothing after a line that was too long', () => {
  const lines: string[] = []
  const splitter = createLineSplitter({ maxBytes: 2, onLine: line => lines.push(line) })
  expect([splitter.push(Buffer.from('abc\n')), splitter.push(Buffer.from('d\n'))]).toEqual([false, false])
  expect(lines).toEqual([])
})

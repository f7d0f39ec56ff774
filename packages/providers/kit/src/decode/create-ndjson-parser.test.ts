import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createNdjsonParser } from './create-ndjson-parser.ts'

function parse(chunks: readonly (Uint8Array | string)[]): unknown[] {
  const values: unknown[] = []
  const parser = createNdjsonParser(json => values.push(JSON.parse(json)))
  for (const chunk of chunks) parser.feed(chunk)
  parser.end()
  return values
}

describe('createNdjsonParser', () => {
  it('the NDJSON parser hands over every line that is not blank', () => {
    expect(parse(['{"a":1}\n\n  \r\n{"a":2}\r\n'])).toEqual([{ a: 1 }, { a: 2 }])
  })

  it('the NDJSON parser accepts a complete last line without a line end, and drops an incomplete one', () => {
    expect(parse(['1\n{"a":2}'])).toEqual([1, { a: 2 }])
    expect(parse(['1\n{"a":'])).toEqual([1])
  })

  it('the NDJSON parser drops a last line that is cut within a character', () => {
    const whole = new TextEncoder().encode('1\n2é')
    expect(parse([whole.subarray(0, -1)])).toEqual([1])
  })

  it('the NDJSON parser hands over the same values for any chunks', () => {
    fc.assert(
      fc.property(
        fc.array(fc.json({ maxDepth: 2 }), { maxLength: 8 }),
        fc.integer({ min: 1, max: 9 }),
        (lines, size) => {
          const bytes = new TextEncoder().encode(lines.join('\n'))
          const chunks: Uint8Array[] = []
          for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size))
          expect(parse(chunks)).toEqual(lines.map(line => JSON.parse(line) as unknown))
        },
      ),
    )
  })
})

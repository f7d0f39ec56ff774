import { ParleyError } from '@parley/core'
import { expect, it } from 'vitest'
import type { AnswerContext, AnswerProgress } from './answer-decoder.ts'
import { createBodyReader, type BodyFormat } from './create-body-reader.ts'

/** A reader whose decoder notes what it receives. The event `.` settles the answer, `#` completes it. */
function open(format: BodyFormat) {
  const seen: unknown[] = []
  const broken = (detail: string): ParleyError => new ParleyError({ code: 'model-stream', provider: 'acme', detail })
  const context: AnswerContext = { emit() {}, parse: JSON.parse, reported: () => broken(''), broken }
  const progress: Readonly<Record<string, AnswerProgress>> = { '.': 'settled', '#': 'complete' }
  const reader = createBodyReader({
    format,
    context,
    decoder: {
      event(data, name) {
        seen.push(name === '' ? data : [name, data])
        return progress[data] ?? 'open'
      },
      document: body => void seen.push({ document: body }),
      end: () => void seen.push('end'),
    },
  })
  const feed = (text: string): AnswerProgress => reader.feed(new TextEncoder().encode(text))
  return { reader, seen, feed }
}

it('the decoder receives no event after the one that completes the answer', () => {
  const { reader, seen, feed } = open('sse')
  expect(feed('data: a\n\ndata: .\n\ndata: b\n\n')).toBe('open')
  expect(feed('data: #\n\ndata: c\n\n')).toBe('complete')
  expect(feed('data: d\n\n')).toBe('complete')
  reader.end()
  expect(seen).toEqual(['a', '.', 'b', '#', 'end'])
})

it.each([
  ['sse', '\uFEFF \r\n{"a":1}', [{ document: { a: 1 } }]],
  ['sse', '[1]', [{ document: [1] }]],
  ['json', 'data: {"a":1}\n\n', ['{"a":1}']],
  ['json', ': hi\n\nevent: e\ndata: 1\n\n', [['e', '1']]],
  ['json', '"text"', [{ document: 'text' }]],
  ['ndjson', '{"a":1}\n{"a":2}\n', ['{"a":1}', '{"a":2}']],
] as const)('a body that was asked for as %s and begins with %j is read as what it is', (format, text, expected) => {
  const { reader, seen, feed } = open(format)
  for (const character of text) feed(character)
  reader.end()
  expect(seen).toEqual([...expected, 'end'])
})

it('markup instead of events is reported with at most its first 200 bytes', () => {
  const { reader, feed } = open('sse')
  for (const piece of ['  <html>', `<p>${'x'.repeat(300)}`, '</p>']) feed(piece)
  let detail = ''
  try {
    reader.end()
  } catch (error) {
    if (ParleyError.is(error, 'model-stream')) ({ detail } = error.info)
  }
  expect(detail).toContain(`sent markup instead of events: '<html><p>${'x'.repeat(189)}'`)
})

import { expect, it } from 'vitest'
import { encodeNdjson, encodeSse, ResponseBuilder } from '../index.ts'

const text = 'a\nb\r\u0085\u2028\u2029\u{1f680}'
const event = new ResponseBuilder({ responseId: 'r' })
  .createMessageBuilder({ id: 'm' })
  .createContentBuilder()
  .addTextDelta(text)[3]!

it('encodeSse writes one data line with the number as id and escapes line separators', () => {
  const frame = encodeSse(event)
  const lines = frame.split(/[\n\r\u0085\u2028\u2029]/)
  expect(lines).toHaveLength(4)
  expect(lines[0]).toBe('id: 3')
  expect(lines.slice(2)).toEqual(['', ''])
  expect(JSON.parse(lines[1]!.slice('data: '.length))).toEqual(event)
})

it('encodeSse writes no id for an event without a number', () => {
  expect(encodeSse({ ...event, sequence_number: null })).toMatch(/^data: \{/)
})

it('encodeNdjson writes one line of JSON', () => {
  const line = encodeNdjson(event)
  expect(line.split(/[\n\r\u0085\u2028\u2029]/)).toHaveLength(2)
  expect(JSON.parse(line)).toEqual(event)
})

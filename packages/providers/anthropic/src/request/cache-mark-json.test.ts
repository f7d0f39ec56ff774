import { describe, expect, it } from 'vitest'
import { cacheMark, countMarks, withMark } from './cache-mark-json.ts'

describe('cacheMark', () => {
  it('cacheMark sets the chosen lifetime', () => {
    expect(cacheMark('auto')).toBe('{"type":"ephemeral"}')
    expect(cacheMark({ ttl: '5m' })).toBe('{"type":"ephemeral"}')
    expect(cacheMark({ ttl: '1h' })).toBe('{"type":"ephemeral","ttl":"1h"}')
  })
})

describe('withMark', () => {
  it('withMark adds the mark to an object', () => {
    expect(JSON.parse(withMark('{"a":1}', '{"type":"ephemeral"}'))).toEqual({
      a: 1,
      cache_control: { type: 'ephemeral' },
    })
  })
})

describe('countMarks', () => {
  it('countMarks counts marks, but not texts that mention them', () => {
    const mark = { cache_control: { type: 'ephemeral' } }
    expect(countMarks(JSON.stringify([mark, { inner: mark, text: JSON.stringify(mark) }]))).toBe(2)
  })
})

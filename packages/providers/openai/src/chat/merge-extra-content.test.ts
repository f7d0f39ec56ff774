import { expect, it } from 'vitest'
import { mergeExtraContent } from './merge-extra-content.ts'

it('mergeExtraContent joins objects field by field and keeps the last value of each field', () => {
  expect(mergeExtraContent({ google: { a: 1, b: 1 } }, { google: { b: 2 }, vertex: { c: 3 } })).toEqual({
    google: { a: 1, b: 2 },
    vertex: { c: 3 },
  })
  expect(mergeExtraContent(undefined, 'text')).toBe('text')
})

it('mergeExtraContent never replaces a value with null, empty text or a missing value', () => {
  const before = { google: { thought_signature: 's' } }
  for (const nothing of [null, undefined, '', {}, { google: null }, { google: { thought_signature: '' } }])
    expect(mergeExtraContent(before, nothing)).toEqual(before)
})

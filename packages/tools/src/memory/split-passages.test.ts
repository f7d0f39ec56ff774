import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { splitPassages } from './split-passages.ts'

it('splitPassages loses no text, keeps words whole, and makes no passage longer than 240 characters', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ minLength: 1, maxLength: 300 })), texts => {
      const text = texts.join(' ')
      const passages = splitPassages(text)
      expect(passages.join('').replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''))
      for (const passage of passages) expect(passage.length).toBeLessThanOrEqual(240)
    }),
  )
  expect(splitPassages('a b\n\nc')).toEqual(['a b c'])
  expect(splitPassages(' ')).toEqual([])
  expect(splitPassages(`${'x'.repeat(239)} y`)).toEqual(['x'.repeat(239), 'y'])
})

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createTextTail } from './text-tail.ts'

it('keeps everything as long as it fits', () => {
  const tail = createTextTail({ maxBytes: 8 })
  for (const part of ['ab\n', 'cd', 'ef\n']) tail.push(Buffer.from(part))
  expect(tail.text()).toBe('ab\ncdef\n')
})

it('drops from the front, at a line end when there is one', () => {
  const tail = createTextTail({ maxBytes: 8 })
  tail.push(Buffer.from('first\nsecond'))
  expect(tail.text()).toBe('second')
  tail.push(Buffer.from('longlonglong'))
  expect(tail.text()).toBe('longlong')
})

it('never holds more than it may', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.integer({ min: 1, max: 30 }), (parts, maxBytes) => {
      const tail = createTextTail({ maxBytes })
      for (const part of parts) tail.push(Buffer.from(part.replaceAll(/[^ -~\n]/g, '')))
      expect(tail.text().length).toBeLessThanOrEqual(maxBytes)
    }),
  )
})

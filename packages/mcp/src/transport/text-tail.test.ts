import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createTextTail } from './text-tail.ts'

it('the text tail keeps everything that fits', () => {
  const tail = createTextTail({ maxBytes: 8 })
  for (const part of ['ab\n', 'cd', 'ef\n']) tail.push(Buffer.from(part))
  expect(tail.text()).toBe('ab\ncdef\n')
})

it('the text tail cuts at the front, at a line end if there is one', () => {
  const tail = createTextTail({ maxBytes: 8 })
  tail.push(Buffer.from('first\nsecond'))
  expect(tail.text()).toBe('second')
  tail.push(Buffer.from('longlonglong'))
  expect(tail.text()).toBe('longlong')
})

it('the text tail never exceeds maxBytes', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.integer({ min: 1, max: 30 }), (parts, maxBytes) => {
      const tail = createTextTail({ maxBytes })
      for (const part of parts) tail.push(Buffer.from(part.replaceAll(/[^ -~\n]/g, '')))
      expect(tail.text().length).toBeLessThanOrEqual(maxBytes)
    }),
  )
})

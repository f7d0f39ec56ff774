import { expect, it } from 'vitest'
import { cutLines } from './cut-lines.ts'

it('cutLines keeps the first and last lines of a text and tells how many are missing', () => {
  expect(cutLines('1\n2\n3\n4\n5\n6', 5)).toBe('1\n2\n[... 1 lines truncated ...]\n4\n5\n6')
  expect(cutLines('1\n2\n3', 3)).toBe('1\n2\n3')
  expect(cutLines('1\n2\n3', 1)).toBe('[... 2 lines truncated ...]\n3')
})

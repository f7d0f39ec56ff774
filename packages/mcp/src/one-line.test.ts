import { expect, it } from 'vitest'
import { oneLine } from './one-line.ts'

it('joins lines, without colours, blank lines and stack frames', () => {
  const text = '\u001B[31mError:\u001B[0m no port\n\n    at listen (net.js:1:2)\n\u001B[1;33mNode.js\u001B[0m v24\r\n'
  expect(oneLine(text, 100)).toBe('Error: no port | Node.js v24')
})

it('keeps the end when the text is too long', () => {
  expect(oneLine('abcdefgh', 4)).toBe('…fgh')
})

import { expect, it } from 'vitest'
import { oneLine, redactSecrets } from './describe-stderr.ts'

it('oneLine joins lines without colors, blank lines and stack frames', () => {
  const text = '\u001B[31mError:\u001B[0m no port\n\n    at listen (net.js:1:2)\n\u001B[1;33mNode.js\u001B[0m v24\r\n'
  expect(oneLine(text, 100)).toBe('Error: no port | Node.js v24')
})

it('oneLine keeps the end of a text that is too long', () => {
  expect(oneLine('abcdefgh', 4)).toBe('…fgh')
})

it('redactSecrets hides only the values of fields that are named like secrets', () => {
  const fields = { API_KEY: 'sk-123456', GH_TOKEN: 'ghp_9', ROOT: '/srv/data', PASSWORD: 'x' }
  expect(redactSecrets('key sk-123456 ghp_9 sk-123456 at /srv/data', fields)).toBe(
    'key [redacted] [redacted] [redacted] at /srv/data',
  )
})

it('redactSecrets hides the token of a header, and tokens after the word Bearer', () => {
  const fields = { authorization: 'Bearer planted-1' }
  expect(redactSecrets('planted-1, Bearer planted-1, bearer other-token', fields)).toBe(
    '[redacted], Bearer [redacted], bearer [redacted]',
  )
})

import { expect, it } from 'vitest'
import { printable } from './printable.ts'

const HOSTILE = '\u001b]0;title\u0007\u001b[2Jone\r\n\ttwo\u009b31m'

it('text of a model loses its control characters in a terminal, but not its lines and tabs', () => {
  expect(printable(HOSTILE, { columns: 80 })).toBe(']0;title[2Jone\n\ttwo31m')
})

it('text of a model reaches a file or a pipe unchanged', () => {
  expect(printable(HOSTILE, { columns: undefined })).toBe(HOSTILE)
})

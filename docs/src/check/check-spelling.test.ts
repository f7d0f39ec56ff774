import { expect, it } from 'vitest'
import { createSpellingCheck } from './check-spelling.ts'

const check = createSpellingCheck('# ours\nmiddleware\n')
const messagesOf = (text: string): readonly string[] =>
  check({ path: 'a.md', text }).map(({ line, message }) => `${line} ${message}`)

it('the spelling check reports an unknown word with its line', () => {
  expect(messagesOf('A run is\na jorunal of steps.')).toEqual([`2 'jorunal' is not in the dictionary`])
})

it('the spelling check knows our words, and skips code, addresses, names in camel case and abbreviations', () => {
  expect(
    messagesOf(
      "The Middleware's use of `xyzzy`, useChat, @parley/xyzzy, [x](xyzzy.md) and XYZZY.\n\n```ts\nxyzzy\n```",
    ),
  ).toEqual([])
})

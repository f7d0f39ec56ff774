import { expect, it } from 'vitest'
import { parseMessages } from './parse-messages.ts'

it('parseMessages reads a single message and each message of a batch', () => {
  expect(parseMessages('{"jsonrpc":"2.0","id":1}\r')).toEqual([{ jsonrpc: '2.0', id: 1 }])
  expect(parseMessages('[{"jsonrpc":"2.0","id":1},{"jsonrpc":"2.0","id":2},3]')).toHaveLength(2)
})

it.each(['', '  ', '# comment', 'Listening on 80', '{"level":"info"}', '{"jsonrpc":"1.0"}', 'null', '3', '{broken'])(
  'parseMessages skips a line that is not a message: %j',
  line => {
    expect(parseMessages(line)).toEqual([])
  },
)

import { describe, expect, it } from 'vitest'
import { parseMessages } from './parse-messages.ts'

const show = (text: string): string[] =>
  parseMessages(text).map(({ role, content, metadata }) =>
    [
      role,
      content.map(part => (part.kind === 'text' ? part.value : part.kind)).join('|'),
      ...(metadata === undefined ? [] : [JSON.stringify(metadata)]),
    ].join('>'),
  )

describe('role markers', () => {
  it.each([
    ['# System:\na\n  user :  \nb', ['system>a', 'user>b']],
    ['ASSISTANT:\na', ['assistant>a']],
    ['developer:\na', ['developer>a']],
    ['tool:\na', ['system>tool:\na']],
    ['user: hi', ['system>user: hi']],
    ['before\nuser:\nb', ['system>before', 'user>b']],
    ['\n\nuser:\nb', ['user>b']],
    ['user:\nassistant:\nb', ['user>', 'assistant>b']],
    ['', []],
    ['user:\r\nhi\r\n', ['user>hi']],
  ])('parseMessages reads the roles of %j', (text, expected) => {
    expect(show(text)).toEqual(expected)
  })

  it('attributes become metadata: quoted values are strings, unquoted ones may be numbers or booleans', () => {
    expect(show('user[name="Al, Bo", id="7", n=7, x=1.5, ok=True, t=a b]:\nhi')).toEqual([
      'user>hi>{"name":"Al, Bo","id":"7","n":7,"x":1.5,"ok":true,"t":"a b"}',
    ])
    for (const text of ['user[:\nx', 'user[a]:\nx', 'user[a=1:\nx', 'user[a=1] x:\nx'])
      expect(show(text)[0]).toMatch(/^system>user/)
  })

  it('a conversation replaces each of its markers', () => {
    const threads = {
      '<T>': [
        { role: 'user', content: 'q' },
        { role: 'assistant', content: [{ kind: 'text', value: 'a' }] },
      ],
    }
    const messages = parseMessages('system[v=1]:\nbefore\n<T>\nafter\nuser:\n<T>', { threads })
    expect(messages.map(({ role, metadata }) => [role, metadata])).toEqual([
      ['system', { v: 1 }],
      ['user', undefined],
      ['assistant', undefined],
      ['system', { v: 1 }],
      ['user', undefined],
      ['assistant', undefined],
    ])
    expect(parseMessages('user:\n<T>\nhi', { threads: { '<T>': [] } })).toEqual([
      { role: 'user', content: [{ kind: 'text', value: 'hi' }] },
    ])
    expect(() => parseMessages('<T>', { threads: { '<T>': [{ role: 'king' }] } })).toThrow('"king"')
  })
})

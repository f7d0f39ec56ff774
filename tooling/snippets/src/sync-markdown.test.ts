import { describe, expect, it } from 'vitest'
import { syncMarkdown } from './sync-markdown.ts'

const EXAMPLES: Readonly<Record<string, string>> = {
  'examples/a.example.ts': '// #region one\nconst a = 1\n\nconst b = 2\n// #endregion\n',
  'examples/plain.ts': 'f()',
}

function sync(...lines: readonly string[]) {
  return syncMarkdown(lines.join('\n'), path => EXAMPLES[path])
}

const MARKER = '<!-- snippet: examples/a.example.ts#one -->'
const BODY = ['const a = 1', '', 'const b = 2']

describe('syncMarkdown', () => {
  it('syncMarkdown does not change blocks that equal their examples', () => {
    const lines = ['# Title', MARKER, '```ts', ...BODY, '```', 'End', '']
    expect(sync(...lines)).toEqual({ text: lines.join('\n'), stale: [], broken: [] })
  })

  it('syncMarkdown reports a block that differs, by its line, and returns the text with the code of the example', () => {
    const { text, stale, broken } = sync('# Title', MARKER, '', '```ts', 'const a = 2', '```', 'End')
    expect(stale).toEqual([{ line: 4, message: 'differs from examples/a.example.ts#one' }])
    expect(broken).toEqual([])
    expect(text).toBe(['# Title', MARKER, '', '```ts', ...BODY, '```', 'End'].join('\n'))
  })

  it('syncMarkdown keeps the indentation of a block in a list', () => {
    const { text } = sync('- item', `  ${MARKER}`, '  ```ts', '  ```')
    expect(text).toBe(['- item', `  ${MARKER}`, '  ```ts', '  const a = 1', '', '  const b = 2', '  ```'].join('\n'))
  })

  it('syncMarkdown reports a code block without a comment and ignores other languages', () => {
    const { broken } = sync(
      '```ts',
      'f()',
      '```',
      '',
      '~~~js',
      'f()',
      '~~~',
      '```sh',
      'ls',
      '```',
      '```',
      '```ts',
      '```',
    )
    expect(broken.map(({ line }) => line)).toEqual([1, 5])
  })

  it('syncMarkdown ignores fences and comments inside a block', () => {
    expect(sync('````md', MARKER, '```ts', 'f()', '```', '````')).toMatchObject({ stale: [], broken: [] })
    expect(sync('````md', '```', '```ts', 'f()', '```', '````')).toMatchObject({ stale: [], broken: [] })
  })

  it.each([
    ['a missing file', '<!-- snippet: examples/b.example.ts -->', 'there is no file examples/b.example.ts'],
    [
      'a missing region',
      '<!-- snippet: examples/a.example.ts#two -->',
      `examples/a.example.ts: there is no region 'two'`,
    ],
    [
      'a file that no test runs',
      '<!-- snippet: examples/plain.ts -->',
      'examples/plain.ts must end in .example.ts, or be in a package below examples/',
    ],
  ])('syncMarkdown reports %s and keeps the block', (_, marker, message) => {
    const lines = [marker, '```ts', 'old()', '```']
    expect(sync(...lines)).toEqual({ text: lines.join('\n'), stale: [], broken: [{ line: 2, message }] })
  })

  it('syncMarkdown reports a comment without a block and a comment it cannot parse', () => {
    const message = 'no code block follows this snippet comment'
    expect(sync(MARKER, 'Words', '```ts no-check', '```').broken).toMatchObject([{ line: 1, message }, { line: 3 }])
    expect(sync(MARKER, '').broken).toEqual([{ line: 1, message }])
    expect(sync('<!-- snippet -->').broken).toEqual([{ line: 1, message: 'this snippet comment is invalid' }])
  })
})

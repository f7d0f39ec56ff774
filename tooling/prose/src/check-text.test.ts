import { describe, expect, it } from 'vitest'
import { checkText } from './check-text.ts'

/** `rule:line` of each violation. */
function check(file: string, text: string): string[] {
  return checkText(file, text).map(({ rule, line }) => `${rule}:${line}`)
}

describe('phrases', () => {
  it.each([
    ['actor', 'A lock that nobody holds is removed.'],
    ['actor', 'Somebody has to close the file.'],
    ['actor', 'The result goes to whoever asked.'],
    ['actor', 'Not readable by anybody.'],
    ['is-no', 'The value is no whole number above 0.'],
    ['is-no', 'It rejects a limit that is none.'],
    ['is-no', 'Names that are no tools of the agent.'],
    ['is-no', 'What was no\n * list is dropped.'],
    ['is-no', 'The text is no JSON, the answer has no end.'],
    ['go-on', 'The worker goes on with the run.'],
    ['go-on', 'The stream went on.'],
    ['go-on', 'It has gone\n * on with the next item.'],
    ['go-on', 'Another process is going on from there.'],
    ['let-go', 'The worker lets go of the run.'],
    ['let-go', 'A closing host lets the run go.'],
    ['let-go', 'Letting a waiting reader go ends the stream.'],
    ['let-go', 'A run that was let go is resumed.'],
    ['take-up', 'Another worker takes up the run.'],
    ['take-up', 'The run is taken up again.'],
    ['take-up', 'The server takes them up after a crash.'],
    ['leave-word', 'The client leaves word in the inbox.'],
    ['leave-word', 'A process that left word for it.'],
    ['last-word', 'The last word about a run.'],
    ['came-of', 'Records what became of the call.'],
    ['came-of', 'Shows what had come of the call.'],
    ['came-of', 'What will become of the rest is open.'],
    ['again', 'The process starts anew.'],
    ['concurrently', 'Meanwhile the lease expires.'],
    ['instead-of', 'Used in the place of the default.'],
    ['fragment', 'Of the tool.'],
    ['fragment', 'Says it. Of a longer text only both ends are read.'],
    ['fragment', 'Of all branches together.'],
    ['vocabulary', 'The outermost run decides.'],
    ['vocabulary', 'The outer run has the budget.'],
    ['vocabulary', "A sub-agent's run has its own journal."],
    ['vocabulary', 'The run waits for a person.'],
    ['vocabulary', 'A call that has come to wait.'],
    ['vocabulary', 'Damaged rows are passed over.'],
    ['vocabulary', 'The rest is thrown away.'],
    ['vocabulary', 'A memory store keeps them.'],
  ])('checkText reports %s in the comment "%s"', (rule, sentence) => {
    expect(checkText('a.ts', `/**\n * ${sentence}\n */\n`).map(each => each.rule)).toEqual([rule])
  })

  it.each([
    'The run is no longer driven, and no worker reads its inbox.',
    'The value is no more than 10, and is no larger than the limit.',
    'There is no worker, there are none left, and there will be no retry.',
    'A store where there may well be no run returns an empty list.',
    'It is not a list. It is a no-op. The answer is no. No one else reads it.',
    'The layer goes on top of the others, and one cookie goes on every request.',
    'The work is ongoing.',
    'The handler lets the call finish. Let Google decide. It lets the test go on the first page.',
    'The list takes up to 10 entries, takes up space on disk and takes up 3 bytes.',
    'A password leaves no trace. The left word of the pair is the name.',
    'It splits at the last word of the line.',
    'It shows what comes next and what becomes visible.',
    'Renewal of the lease is new each time.',
    'The cost of the call, and of the answer, is known. Of course it fails.',
    'The outer bracket closes last. The innermost loop wins. The files, outermost first.',
    'The sub-agent runs in a child run.',
    'The process waits for a personal token.',
    'Messages are passed over stdio, and passed over the wire.',
    'An in-memory store and the memory of a process.',
    'The code `nobody goes on with` is not prose, "nobody" and \'is no list\' are quoted.',
    'See https://example.com/nobody/goes-on/anew for the reason.',
  ])('checkText accepts the comment "%s"', sentence => {
    expect(check('a.ts', `/**\n * ${sentence}\n */\n// ${sentence}\n`)).toEqual([])
  })

  it('checkText names the words, their line and a remedy', () => {
    expect(checkText('src/a.ts', 'const a = 1\n\n// The run goes\n// on here.\n')).toEqual([
      { rule: 'go-on', file: 'src/a.ts', line: 3, found: '"goes on"', remedy: 'Write resume or continue.' },
    ])
  })
})

describe('sources', () => {
  it('checkText reads block comments, line comments, comments after code and TSDoc tags', () => {
    const text = [
      '/* nobody */',
      'const a = 1 // nobody',
      '/**',
      ' * @returns nobody',
      ' * @param nobody - the name of a parameter is code',
      ' */',
      'function f() {',
      '  // nobody',
      '}',
    ]
    expect(check('a.mjs', text.join('\n'))).toEqual(['actor:1', 'actor:2', 'actor:4', 'actor:8'])
  })

  it('checkText ignores comment marks inside strings, templates and regular expressions', () => {
    const text = [
      "const a = '// nobody'",
      'const b = `/* nobody ${1} // nobody */`',
      'const c = /\\/\\/ nobody/',
      "const d = 'https://nobody'",
    ]
    expect(check('a.test.ts', text.join('\n'))).toEqual([])
  })

  it('checkText ignores code blocks in TSDoc', () => {
    expect(check('a.ts', '/**\n * Text.\n * ```ts\n * nobody()\n * ```\n * Nobody.\n */')).toEqual(['actor:6'])
  })

  it('checkText reads messages of three words and more, and leaves out the values in them', () => {
    const text = [
      "const a = { detail: 'is no list' }",
      'const b = fail(`${name} is no list of ${nobody} names`)',
      "const c = ['nobody', 'of nobody']",
      'const d = `the list ${nobody} of ${`that nobody reads`}`',
    ]
    expect(check('src/a.ts', text.join('\n'))).toEqual(['is-no:1', 'is-no:2', 'actor:4'])
  })

  it.each(['src/a.test.ts', 'src/__fixtures__/a.ts', 'src/a.test-d.ts'])(
    'checkText ignores the strings of %s, which are data',
    file => {
      expect(check(file, "const a = 'a text that nobody reads'")).toEqual([])
    },
  )
})

describe('documents', () => {
  it('checkText reads paragraphs, list items, headings, tables and the text of links', () => {
    const text = '# Nobody\n\nText nobody\n\n- nobody\n\n| a | nobody |\n\n[nobody](a.md)\n'
    expect(check('a.md', text)).toEqual(['actor:1', 'actor:3', 'actor:5', 'actor:7', 'actor:9'])
  })

  it('checkText ignores code, link targets, addresses, front matter and HTML comments', () => {
    const text = [
      '---',
      'title: nobody',
      '---',
      '',
      '```ts',
      'nobody()',
      '```',
      '',
      '`nobody` and ``a ` nobody`` and <!-- nobody --> and [text](nobody.md) and https://example.com/nobody',
      '',
      '~~~',
      'nobody',
    ]
    expect(check('a.md', text.join('\n'))).toEqual([])
  })

  it('checkText reads what follows a code block', () => {
    expect(check('a.md', '```sh\nls\n```\n\nnobody\n\n````md\n```\nnobody\n```\n````\n\nanew\n')).toEqual([
      'actor:5',
      'again:13',
    ])
  })
})

describe('test names', () => {
  it('checkText finds the names of it and test through every chain', () => {
    const text = [
      "it('refuses a list', () => {})",
      "test('refuses a list', () => {})",
      "it.concurrent('refuses a list', () => {})",
      "it.each([1, 2])('refuses %s', () => {})",
      "it.skipIf(process.platform === 'win32')('refuses a list', () => {})",
      "it.concurrent.each`a`('refuses a list', () => {})",
      "it.effect.skipIf(on)('refuses a list', () => {})",
      'it(`refuses ${name}`, () => {})',
      "it('refuses a list, ' + name, () => {})",
      "it.todo('refuses a list')",
    ]
    expect(check('a.test.ts', text.join('\n'))).toEqual(text.map((_, index) => `test-name:${index + 1}`))
  })

  it('checkText leaves names of describe, other calls and factories free', () => {
    const text = [
      "describe('refuses a list', () => {})",
      "describe.each([1])('refuses %s', () => {})",
      "test.extend('refuses a list')",
      "pattern.test('refuses a list')",
      "emit('refuses a list', () => {})",
      'it.each(rows)(name, () => {})',
    ]
    expect(check('a.test.ts', text.join('\n'))).toEqual([])
  })

  it('checkText reads the first cells of a table whose name begins with them', () => {
    const text = [
      'it.each([',
      "  ['refuses a list', 1],",
      "  ['the store rejects a list', 1],",
      "  ['failed', 1],",
      "  'is a list',",
      "] as const)('%s', () => {})",
      "it.each([['is a list']])('the store rejects what %s', () => {})",
    ]
    expect(check('a.test.ts', text.join('\n'))).toEqual(['test-name:2', 'test-name:5'])
  })

  it('checkText applies the rules for phrases to test names', () => {
    expect(check('a.test.ts', "it('the store rejects what is no list', () => {})")).toEqual(['is-no:1'])
  })

  it('checkText shortens a long name', () => {
    const [violation] = checkText('a.test.ts', `it('refuses ${'a long list '.repeat(10)}', () => {})`)
    expect(violation?.found).toHaveLength(62)
  })
})

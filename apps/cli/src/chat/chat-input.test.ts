import { expect, it } from 'vitest'
import { inTerminal, openTerminal } from '../__fixtures__/open-terminal.ts'
import type { ModelServer } from '../__fixtures__/open-model-server.ts'

/** The messages of the newest request, as JSON. */
function told(server: ModelServer): string {
  return JSON.stringify(server.requests.at(-1)?.messages)
}

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg=='
const LONG = Array.from({ length: 30 }, (_, index) => `word${index}`).join(' ')

it('a line that ends with a backslash continues on the next line', inTerminal, async () => {
  await using terminal = await openTerminal({ answers: ['Read.'] })
  await terminal.prompts()
  terminal.enter('first line\\')
  await terminal.shows(/^… *$/m)
  expect(terminal.server.requests).toHaveLength(0)
  await terminal.ask('second line', 'Read.')
  expect(told(terminal.server)).toContain('first line\\nsecond line')
})

it('pasted lines are one message, which Enter sends', inTerminal, async () => {
  await using terminal = await openTerminal({ answers: ['Read.'] })
  await terminal.prompts()
  terminal.type('Look: ')
  terminal.paste('const a = 1 \\\nconst b = 2\n\tconst c = 3')
  await terminal.shows('const c = 3')
  expect(terminal.server.requests).toHaveLength(0)
  await terminal.ask(' // end', 'Read.')
  expect(terminal.server.requests).toHaveLength(1)
  expect(told(terminal.server)).toContain('Look: const a = 1 \\\\\\nconst b = 2\\n\\tconst c = 3 // end')
})

it('the arrow keys show earlier messages', inTerminal, async () => {
  await using terminal = await openTerminal({ answers: ['One.', 'Two.'] })
  await terminal.prompts()
  await terminal.ask('the first question', 'One.')
  terminal.key('Up')
  await terminal.shows(/One\.[^]*^> the first question/m)
  await terminal.ask(' again', 'Two.')
  expect(told(terminal.server)).toContain('the first question again')
})

it('@path adds a text file and an image to a message', inTerminal, async () => {
  await using terminal = await openTerminal({
    answers: ['Seen.'],
    files: { 'notes.txt': 'the tide is high', 'dot.png': Buffer.from(PIXEL, 'base64') },
  })
  await terminal.prompts()
  await terminal.ask('Compare @notes.txt and @dot.png for @ada', 'Seen.')
  const request = told(terminal.server)
  expect(request).toContain('the tide is high')
  expect(request).toContain(`data:image/png;base64,${PIXEL}`)
  expect(request).toContain('for @ada')
})

it('Ctrl-C stops an answer and keeps the chat, and ends the chat at the prompt', inTerminal, async () => {
  await using terminal = await openTerminal({
    answers: ['One.', 'Back again.'],
    delay: n => (n === 1 ? new Promise(() => {}) : Promise.resolve()),
  })
  await terminal.prompts()
  terminal.enter('Hi')
  await terminal.shows(/Esc stops/)
  terminal.key('C-c')
  await terminal.shows(/✗ cancelled/)
  await terminal.ask('Hi again', /Hi again[^]*✓ completed/)
  terminal.key('C-c')
  await terminal.shows('exit 0')
})

it('the second Ctrl-C exits at once', inTerminal, async () => {
  await using terminal = await openTerminal({
    script: 'parley --tools slow.mjs',
    files: {
      'slow.mjs': `export const slow = { name: 'slow', description: 'd', input: { type: 'object' }, execute: () => new Promise(() => setInterval(() => {}, 1000)) }`,
    },
    answers: [[{ name: 'slow', input: {} }]],
  })
  await terminal.prompts()
  terminal.enter('Wait')
  await terminal.shows(/→ slow/)
  terminal.key('C-c')
  terminal.key('C-c')
  await terminal.shows('exit 130')
})

it('parley alone opens a chat, and Esc stops an answer in 40 columns', inTerminal, async () => {
  await using terminal = await openTerminal({ answers: ['Too late.'], columns: 40, delay: () => new Promise(() => {}) })
  await terminal.prompts()
  terminal.enter('Hi')
  await terminal.shows(/\d+ s · \d+ tokens · Esc stops/)
  terminal.key('Escape')
  await terminal.shows(/✗ cancelled/)
  await terminal.prompts()
  terminal.key('C-d')
  await terminal.shows('exit 0')
})

it('Esc stops an answer while a tool runs, and the chat continues', inTerminal, async () => {
  await using terminal = await openTerminal({
    script: 'parley --tools slow.mjs',
    files: {
      'slow.mjs': `export const slow = { name: 'slow', description: 'd', input: { type: 'object' }, execute: (_, { signal }) => new Promise((_, no) => signal.addEventListener('abort', () => no(signal.reason))) }`,
    },
    answers: [[{ name: 'slow', input: {} }], 'Awake.'],
  })
  await terminal.prompts()
  terminal.enter('Wait')
  await terminal.shows(/→ slow/)
  terminal.key('Escape')
  await terminal.shows(/✗ cancelled/)
  await terminal.prompts()
  await terminal.ask('Still there?', 'Awake.')
})

it('an answer is wrapped between words at the width that the terminal has now', inTerminal, async () => {
  await using terminal = await openTerminal({ answers: [LONG, `${LONG} end`], columns: 40 })
  await terminal.prompts()
  await terminal.ask('Hi', 'word29')
  expect(wordsOf(terminal.rows())).toEqual(LONG.split(' '))
  terminal.resize(60)
  await terminal.ask('Hi', /word29\s+end/)
  const rows = terminal
    .rows()
    .split('\n')
    .filter(row => row.includes('word'))
  expect(wordsOf(terminal.rows())).toEqual([...LONG.split(' '), ...LONG.split(' ')])
  expect(Math.max(...rows.map(row => row.length))).toBeGreaterThan(45)
})

/** The words of an answer in the rows of a terminal. A word that was cut is two words. */
function wordsOf(rows: string): readonly string[] {
  return rows.match(/\S*word\S*/g) ?? []
}

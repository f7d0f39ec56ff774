import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { openModelServer, type ServedAnswer } from '../__fixtures__/open-model-server.ts'

const BIN = join(import.meta.dirname, '../bin.ts')

function hasTmux(): boolean {
  try {
    execFileSync('tmux', ['-V'])
    return true
  } catch {
    return false
  }
}

const TOOLS = `
const input = { type: 'object' }
export const pay = { name: 'pay', description: 'Pays.', input, permission: 'ask', execute: ({ n }) => 'paid ' + n }
`

/** The command in a terminal of its own tmux server. */
async function openTerminal(
  answers: readonly ServedAnswer[],
  { columns = 80, args = '', environment = '', delayMs = 0 } = {},
) {
  const server = await openModelServer(answers, delayMs)
  const dir = await mkdtemp(join(tmpdir(), 'parley-tty-'))
  await writeFile(join(dir, 'tools.mjs'), TOOLS)
  await writeFile(join(dir, 'notes.txt'), 'the tide is high')
  const tmux = (...words: string[]): string =>
    execFileSync('tmux', ['-S', join(dir, 'tmux'), '-f', '/dev/null', ...words], { encoding: 'utf8' })
  const start = `cd ${dir} && OPENAI_BASE_URL=${server.url} OPENAI_MODEL=test-model ${environment} ${process.execPath} --conditions=@parley/source ${BIN} ${args}; echo "exit $?"; sleep 60`
  tmux('new-session', '-d', '-x', String(columns), '-y', '60', 'sh', '-c', start)
  const screen = (): string => tmux('capture-pane', '-p', '-J', '-S', '-200')
  return {
    server,
    screen,
    tmux,
    /** Waits until the screen shows a text. */
    shows: (text: string | RegExp) =>
      vi.waitFor(() => expect(screen()).toMatch(text), { timeout: 60_000, interval: 50 }),
    type: (text: string) => void tmux('send-keys', '-l', text),
    key: (name: string) => void tmux('send-keys', name),
    async [Symbol.asyncDispose]() {
      tmux('kill-server')
      await server[Symbol.asyncDispose]()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

const slow = { timeout: 120_000, skip: !hasTmux() }

it('a chat in a terminal answers, asks for approval and obeys its commands', slow, async () => {
  const answers: readonly ServedAnswer[] = [
    '**Hello** there.',
    [{ name: 'pay', input: { n: 7 } }],
    'It is settled.',
    'The file was read.',
  ]
  await using given = await openTerminal(answers, { args: 'chat --tools tools.mjs' })
  const enter = (text: string): void => {
    given.type(text)
    given.key('Enter')
  }
  await given.shows(/parley .* \/help *\n> /)
  enter('Hi')
  await given.shows(/Hello there\.[^]*completed[^]*^> *$/m)
  expect(given.screen()).not.toContain('**')
  enter('Pay it.')
  await given.shows(/\[y\]es {2}\[n\]o {2}\[e\]dit {2}\[a\]lways/)
  expect(given.screen()).toContain('"n": 7')
  enter('y')
  await given.shows(/It is settled\./)
  await given.shows(/It is settled\.[^]*completed[^]*^> *$/m)
  enter('Read @notes.txt')
  await given.shows(/The file was read\.[^]*completed[^]*^> *$/m)
  expect(JSON.stringify(given.server.requests.at(-1)?.messages)).toContain('the tide is high')
  for (const [line, shown] of [
    ['/help', /\/compact \[TOPIC\]/],
    ['/tools', /calculator/],
    ['/agent', /\* assistant/],
    ['/model', /model \S+\/test-model/],
    ['/cost', /\d+ runs · \d+ tokens/],
    ['/approve', /waits for nothing/],
    ['/hepl', /Did you mean \/help\?/],
    ['/new', /session [0-9a-f-]{36}/],
  ] as const) {
    enter(line)
    await given.shows(shown)
  }
  enter('/quit')
  await given.shows(/exit 0/)
})

it('parley alone opens a chat, and Esc stops an answer', slow, async () => {
  await using given = await openTerminal(['Too late.'], { columns: 40, delayMs: 60_000 })
  await given.shows(/^> *$/m)
  given.type('Hi')
  given.key('Enter')
  await given.shows(/\d+ s · \d+ tokens · Esc stops/)
  given.key('Escape')
  await given.shows(/✗ cancelled/)
  given.key('C-d')
  await given.shows(/exit 0/)
})

it('parley run asks for approval in a plain terminal, and leaves the call pending after Ctrl-C', slow, async () => {
  const answers: readonly ServedAnswer[] = [[{ name: 'pay', input: { n: 7 } }], 'Paid.']
  const environment = 'TERM=dumb'
  await using given = await openTerminal(answers, { environment, args: 'run --tools tools.mjs "Pay it."' })
  await given.shows(/\[y\]es/)
  given.key('C-c')
  await given.shows(/The run still waits · decide: parley approve/)
  await given.shows(/exit 3/)
})

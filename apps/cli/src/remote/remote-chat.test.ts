import { expect, it } from 'vitest'
import { inTerminal, openTerminal } from '../__fixtures__/open-terminal.ts'

const PAY = { name: 'pay', input: { n: 7 } }
const SCRIPT = `
parley serve --port 0 --tools tools.mjs > serve.txt &
while ! grep -q http: serve.txt; do sleep 0.1; done
parley chat --server "$(grep -o 'http://[^ ]*' serve.txt | head -1)"
code=$?
kill $!
(exit $code)`

it(
  'a chat with a server asks for approvals, asks for the result of a client tool, and obeys its commands',
  inTerminal,
  async () => {
    await using terminal = await openTerminal({
      script: SCRIPT,
      answers: [[PAY], '**Paid** for you.', [{ name: 'locate', input: {} }], 'You are in Bremen.'],
    })
    await terminal.prompts()
    terminal.enter('Pay it.')
    await terminal.shows(/"n": 7[^]*\[y\]es {2}\[n\]o {2}\[a\]lways/)
    terminal.enter('e')
    await terminal.shows('Answer y, n or a.')
    await terminal.ask('y', /← pay paid 7\s+Paid for you\.[^]*✓ completed/)
    terminal.enter('Where am I?')
    await terminal.shows(/Result of locate › /)
    await terminal.ask('53.08, 8.80', 'You are in Bremen.')
    expect(JSON.stringify(terminal.server.requests.at(-1)?.messages)).toContain('53.08, 8.80')
    await terminal.ask('/new', /^session [0-9a-f-]{36}/m)
    await terminal.ask('/help', /\/agent NAME/)
    await terminal.ask('/agent clerk', /^agent clerk/m)
    await terminal.ask('/compact', 'A chat with a server has no command /compact.')
    terminal.enter('/quit')
    await terminal.shows('exit 0')
  },
)

it('Esc stops an answer of a server', inTerminal, async () => {
  await using terminal = await openTerminal({
    script: SCRIPT,
    answers: ['Too late.', 'In time.'],
    delay: n => (n === 1 ? new Promise(() => {}) : Promise.resolve()),
  })
  await terminal.prompts()
  terminal.enter('Hi')
  await terminal.shows(/\d+ s · Esc stops/)
  terminal.key('Escape')
  await terminal.shows('✗ cancelled')
  await terminal.prompts()
  await terminal.ask('Hi again', /Hi again[^]*✓ completed/)
})

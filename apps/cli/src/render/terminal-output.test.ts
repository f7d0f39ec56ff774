import { expect, it } from 'vitest'
import { inTerminal, openTerminal } from '../__fixtures__/open-terminal.ts'

const RICH = '# Title\n\n**Bold** and `code`\n\n```js\nconst a = 1\n```\n\n- item'
const ESCAPE = '\u001b'

it('a terminal gets Markdown with colors', inTerminal, async () => {
  await using terminal = await openTerminal({ answers: [RICH] })
  await terminal.prompts()
  await terminal.ask('Hi', 'item')
  expect(terminal.screen()).not.toContain('**')
  expect(terminal.rows({ styles: true })).toContain(`${ESCAPE}[3`)
})

it('NO_COLOR leaves out every color, and keeps Markdown', inTerminal, async () => {
  await using terminal = await openTerminal({
    script: 'parley chat --tools tools.mjs',
    answers: [RICH, [{ name: 'pay', input: { n: 7 } }], 'Paid.'],
    environment: { NO_COLOR: '1' },
  })
  await terminal.prompts()
  await terminal.ask('Hi', 'item')
  terminal.enter('Pay')
  await terminal.shows(/\[y\]es/)
  await terminal.ask('y', 'Paid.')
  expect(terminal.screen()).not.toContain('**')
  expect(terminal.rows({ styles: true })).not.toContain(ESCAPE)
})

it('output into a pipe has no control codes', inTerminal, async () => {
  await using terminal = await openTerminal({
    script: `parley run "Hi" | cat -v
printf 'Hi\\n' | parley chat | cat -v
parley runs | cat -v`,
    answers: [RICH],
  })
  await terminal.shows('exit 0')
  expect(terminal.screen().match(/\*\*Bold\*\*/g)).toHaveLength(2)
  expect(terminal.screen()).not.toContain('^[')
})

it('PARLEY_PLAIN=1 prints the answer as it is, without a status line', inTerminal, async () => {
  await using terminal = await openTerminal({ answers: [RICH], environment: { PARLEY_PLAIN: '1' } })
  await terminal.prompts()
  await terminal.ask('Hi', /- item[^]*completed/)
  expect(terminal.screen()).toContain('**Bold** and `code`')
  expect(await terminal.raw()).not.toMatch(/Esc stops|[⠋⠙⠹⠸]/)
})

it('TERM=dumb gets no control codes, and the chat still reads messages and approvals', inTerminal, async () => {
  await using terminal = await openTerminal({
    script: 'parley chat --tools tools.mjs',
    answers: [RICH, [{ name: 'pay', input: { n: 7 } }], 'Paid.'],
    environment: { TERM: 'dumb' },
  })
  await terminal.prompts()
  await terminal.ask('Hi', /- item[^]*completed/)
  terminal.enter('Pay')
  await terminal.shows(/\[y\]es/)
  await terminal.ask('y', 'Paid.')
  expect(await terminal.raw()).not.toContain(ESCAPE)
  terminal.enter('/quit')
  await terminal.shows('exit 0')
})

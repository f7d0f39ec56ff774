import { expect, it } from 'vitest'
import { inTerminal, openTerminal } from '../../__fixtures__/open-terminal.ts'

const PAY = { name: 'pay', input: { n: 7 } }
const RUN = 'parley run --tools tools.mjs'

it('parley approve asks about each run: yes, no with a reason, and undecided', inTerminal, async () => {
  await using terminal = await openTerminal({
    script: `${RUN} "first" < /dev/null > 1.txt; ${RUN} "second" < /dev/null > 2.txt; ${RUN} "third" < /dev/null > 3.txt
parley approve`,
    answers: [[PAY], 'All settled.'],
  })
  await terminal.shows(/(?:pay \{"n":7\}\s+[^]*){3}\[y\]es/)
  terminal.enter('y')
  await terminal.shows(/paid 7[^]*All settled\.[^]*completed[^]*\[y\]es/)
  terminal.enter('n')
  await terminal.shows(/Reason for the model/)
  terminal.enter('Not today.')
  await terminal.shows(/Not today\.[^]*All settled\.[^]*completed[^]*\[y\]es/)
  expect(JSON.stringify(terminal.server.requests.at(-1)?.messages)).toContain('Not today.')
  terminal.key('C-c')
  await terminal.shows(/Run [0-9a-f-]+ still waits\.[^]*exit 0/)
})

it(
  'parley run asks for approval in a plain terminal, and leaves the call pending after Ctrl-C',
  inTerminal,
  async () => {
    await using terminal = await openTerminal({
      script: `${RUN} "Pay it."`,
      environment: { TERM: 'dumb' },
      answers: [[PAY], 'Paid.'],
    })
    await terminal.shows(/\[y\]es/)
    terminal.enter('e')
    await terminal.shows(/Enter keeps \{"n":7\}\s+Arguments › /)
    terminal.key('C-c')
    await terminal.shows(/\[y\]es[^]*\^C[^]*\[y\]es/)
    terminal.key('C-c')
    await terminal.shows(/The run still waits · decide: parley approve/)
    await terminal.shows('exit 3')
  },
)

it('parley approve asks once about each of two calls of a run', inTerminal, async () => {
  await using terminal = await openTerminal({
    script: `${RUN} "both" < /dev/null > 1.txt
parley approve`,
    answers: [[PAY, { name: 'pay', input: { n: 8 } }], 'Both settled.'],
  })
  await terminal.shows(/\[y\]es/)
  terminal.enter('e')
  await terminal.shows(/Arguments › \{"n":7\}/)
  for (let left = 2; left > 0; left--) terminal.key('BSpace')
  terminal.enter('9}')
  await terminal.shows(/\[y\]es[^]*\[y\]es/)
  terminal.enter('y')
  await terminal.shows(/Both settled\.[^]*exit 0/)
  const said = JSON.stringify(terminal.server.requests.at(-1)?.messages)
  expect(said).toContain('paid 9')
  expect(said).toContain('paid 8')
  expect(terminal.screen()).not.toContain('has no pending approval')
  expect(terminal.screen().match(/\[y\]es/g)).toHaveLength(2)
})

it('the answer always of parley approve counts for later calls of the tool, in every run', inTerminal, async () => {
  await using terminal = await openTerminal({
    script: `${RUN} "first" < /dev/null > 1.txt; ${RUN} "second" < /dev/null > 2.txt
parley approve`,
    answers: [[PAY], [{ name: 'pay', input: { n: 8 } }], 'Twice settled.'],
  })
  await terminal.shows(/\[y\]es/)
  terminal.enter('a')
  await terminal.shows('exit 0')
  expect(terminal.screen().match(/Twice settled\./g)).toHaveLength(2)
  expect(terminal.screen().match(/\[y\]es/g)).toHaveLength(1)
})

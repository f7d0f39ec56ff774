// Deep: it types into terminals of tmux; `chat-input.test.ts` types less.
import { expect, it } from 'vitest'
import { inTerminal, openTerminal } from '../__fixtures__/open-terminal.ts'
import type { ModelServer } from '../__fixtures__/open-model-server.ts'

/** The messages of the newest request, as JSON. */
function told(server: ModelServer): string {
  return JSON.stringify(server.requests.at(-1)?.messages)
}

const PAY = { name: 'pay', input: { n: 7 } }

it('/help lists every command of the chat', inTerminal, async () => {
  await using terminal = await openTerminal()
  await terminal.prompts()
  await terminal.ask('/hepl', 'Did you mean /help?')
  await terminal.ask('/help', /Esc stops an answer/)
  const listed = [...terminal.screen().matchAll(/^\/(\w+)/gm)].map(([, name]) => name)
  const commands = ['agent', 'approve', 'compact', 'cost', 'fork', 'help', 'model', 'new', 'quit', 'resume', 'tools']
  expect(new Set(listed)).toEqual(new Set(commands))
})

it(
  '/new starts a session without the earlier messages, and /resume continues the earlier session',
  inTerminal,
  async () => {
    await using terminal = await openTerminal({ answers: ['Noted.', 'Your word is heron.'] })
    const { server } = terminal
    await terminal.prompts()
    await terminal.ask('My word is heron.', 'Noted.')
    const [first] = /(?<=session )[0-9a-f-]{36}/.exec(terminal.screen()) ?? []
    await terminal.ask('/new', /^session [0-9a-f-]{36}/m)
    await terminal.ask('Which planet?', /Which planet[^]*Noted\.[^]*completed/)
    expect(told(server)).not.toContain('heron')
    await terminal.ask('/resume', /^session/m)
    const second = (await newestRuns(terminal))[1] ?? ''
    await terminal.ask(`/resume ${second}`, `session ${first}`)
    await terminal.ask('Which word?', 'Your word is heron.')
    expect(told(server)).toContain('My word is heron.')
    expect(told(server)).not.toContain('planet')
  },
)

it(
  '/model uses another model from the next message on, and rejects an invalid one without ending the chat',
  inTerminal,
  async () => {
    await using terminal = await openTerminal({ answers: ['One.', 'Two.'] })
    const { server } = terminal
    await terminal.prompts()
    await terminal.ask('Hi', 'One.')
    await terminal.ask('/model larger-model', /^model \S+\/larger-model/m)
    await terminal.ask('Again', 'Two.')
    expect(server.requests.map(({ model }) => model)).toEqual(['test-model', 'larger-model'])
    expect(told(server)).toContain('One.')
    await terminal.ask('/model demo', /^model \S*demo/m)
    await terminal.ask('What is 12 * 34?', '408')
    expect(server.requests).toHaveLength(2)
  },
)

it('/agent lists the agents of a file and lets another one answer, and suggests a close name', inTerminal, async () => {
  await using terminal = await openTerminal({
    script: `
cat > parley.yaml <<END
providers: { house: { type: openai, baseUrl: "$OPENAI_BASE_URL", apiKey: k } }
defaults: { model: house/test-model }
agents: { clerk: { instructions: Be a clerk. }, judge: { instructions: Be a judge., tools: [calculator] } }
END
parley chat --config parley.yaml`,
    answers: ['Filed.', 'Judged.'],
  })
  const { server } = terminal
  await terminal.prompts()
  await terminal.ask('/agent', /^\* clerk\s+^ {2}judge/m)
  await terminal.ask('Hi', 'Filed.')
  expect(told(server)).toContain('Be a clerk.')
  await terminal.ask('/agent jduge', /Did you mean judge\?/)
  await terminal.ask('/agent judge', /^ {2}clerk\s+^\* judge/m)
  await terminal.ask('/tools', /^calculator$/m)
  await terminal.ask('Hi again', 'Judged.')
  expect(told(server)).toContain('Be a judge.')
  expect(told(server)).not.toContain('Be a clerk.')
})

it('/cost counts the runs and tokens of the chat', inTerminal, async () => {
  await using terminal = await openTerminal({ answers: ['One.', 'Two.'] })
  await terminal.prompts()
  await terminal.ask('/cost', /^0 runs · 0 tokens · \$0\.0000/m)
  await terminal.ask('Hi', 'One.')
  await terminal.ask('Hi', 'Two.')
  await terminal.ask('/cost', /^2 runs · 20 tokens · cost unknown/m)
})

it('/tools lists the built-in tools and those of --tools', inTerminal, async () => {
  await using terminal = await openTerminal({ script: 'parley chat --tools tools.mjs' })
  await terminal.prompts()
  await terminal.ask('/tools', /^calculator$[^]*^locate$[^]*^pay$|^calculator$[^]*^pay$[^]*^locate$/m)
})

it('/fork starts a branch after an entry, without the messages after it', inTerminal, async () => {
  await using terminal = await openTerminal({ answers: ['One.', 'Two.'] })
  const { server } = terminal
  await terminal.prompts()
  await terminal.ask('/fork 2 Early', /has no run yet/)
  await terminal.ask('Start here.', 'One.')
  await terminal.ask('/fork', /\/fork: must be a positive integer/)
  await terminal.ask('/fork 99 Late', /parley: .*99/)
  await terminal.ask('/fork 2 Go there instead.', /Go there instead\.[^]*One\.[^]*completed/)
  expect(server.requests).toHaveLength(2)
  expect(told(server)).toContain('Start here.')
  expect(told(server)).toContain('Go there instead.')
  expect(told(server)).not.toContain('One.')
})

it('/compact summarizes the older turns with the topic, and the next request has the summary', inTerminal, async () => {
  const numbers = ['one', 'two', 'three', 'four', 'five', 'six']
  await using terminal = await openTerminal({ answers: numbers.map(word => `Answer ${word}.`) })
  const { server } = terminal
  await terminal.prompts()
  for (const word of numbers) await terminal.ask(`Question ${word}`, `Answer ${word}.`)
  await terminal.ask('/compact tides', /\d+ messages to \d+ for the model[^]*completed/)
  expect(told(server)).toContain('tides')
  const before = server.requests.length
  await terminal.ask('Go on', /Go on[^]*completed[^]*^> *$/m)
  expect(server.requests).toHaveLength(before + 1)
  expect(told(server)).not.toContain('Question one')
  expect(told(server)).toContain('Question six')
})

it(
  '/approve asks again about a call that the user left undecided, and a refusal reaches the model with its reason',
  inTerminal,
  async () => {
    await using terminal = await openTerminal({
      script: 'parley chat --tools tools.mjs',
      answers: [[PAY], 'Then not.', 'Nothing more.'],
    })
    const { server } = terminal
    await terminal.prompts()
    await terminal.ask('/approve', /has no run yet/)
    terminal.enter('Pay it.')
    await terminal.shows(/\[y\]es/)
    terminal.key('C-c')
    await terminal.shows('The run still waits. /approve asks again.')
    await terminal.prompts()
    terminal.enter('/approve')
    await terminal.shows(/still waits[^]*\[y\]es/)
    terminal.enter('n')
    await terminal.shows(/Reason for the model/)
    await terminal.ask('Too much.', 'Then not.')
    expect(told(server)).toContain('Too much.')
    await terminal.ask('/approve', 'The last run waits for nothing.')
  },
)

it('the answer edit changes the arguments, and always answers later calls of the tool', inTerminal, async () => {
  await using terminal = await openTerminal({
    script: 'parley chat --tools tools.mjs',
    answers: [[PAY], [PAY], 'Paid twice.', [PAY], 'Paid again.'],
  })
  await terminal.prompts()
  terminal.enter('Pay it.')
  await terminal.shows(/\[e\]dit/)
  terminal.enter('e')
  await terminal.shows(/Arguments › \{"n":7\}/)
  for (let left = 2; left > 0; left--) terminal.key('BSpace')
  terminal.enter('8')
  await terminal.shows(/The arguments must be JSON\.[^]*Arguments › \{"n":8/)
  terminal.enter('}')
  await terminal.shows(/paid 8[^]*\[a\]lways/)
  await terminal.ask('a', 'Paid twice.')
  await terminal.ask('Pay more.', 'Paid again.')
  expect(terminal.screen().match(/\[a\]lways/g)).toHaveLength(2)
})

it('a tool that the client executes asks the user for its result', inTerminal, async () => {
  await using terminal = await openTerminal({
    script: 'parley chat --tools tools.mjs',
    answers: [[{ name: 'locate', input: { precise: true } }], 'You are in Bremen.'],
  })
  await terminal.prompts()
  terminal.enter('Where am I?')
  await terminal.shows(/\? locate \{"precise":true\}[^]*Result of locate › /)
  await terminal.ask('53.08, 8.80', 'You are in Bremen.')
  expect(told(terminal.server)).toContain('53.08, 8.80')
})

it(
  'a message to a session whose run waits says how to answer it, and /resume asks in another chat',
  inTerminal,
  async () => {
    await using terminal = await openTerminal({
      script: 'parley chat --tools tools.mjs; parley chat --tools tools.mjs',
      answers: [[PAY], 'Paid.'],
    })
    await terminal.prompts()
    terminal.enter('Pay it.')
    await terminal.shows(/\[y\]es/)
    terminal.key('C-d')
    await terminal.shows(/still waits/)
    await terminal.ask(
      'And now?',
      'The last run waits for an answer. /approve asks again; /new starts another session.',
    )
    expect(terminal.server.requests).toHaveLength(1)
    terminal.enter('/quit')
    await terminal.shows(/parley \S+ · session[^]*parley \S+ · session/)
    await terminal.prompts()
    terminal.enter('/resume')
    await terminal.shows(/\/resume[^]*\[y\]es/)
    await terminal.ask('y', /Paid\.[^]*^session/m)
  },
)

it('/resume continues a run that a killed process left, and reports an unknown one', inTerminal, async () => {
  let killed = (): void => {}
  const asked = new Promise<void>(resolve => (killed = resolve))
  await using terminal = await openTerminal({
    script: `
parley run "Tell me." > first.txt &
while [ ! -e kill ]; do sleep 0.1; done
kill -9 $!
parley`,
    answers: ['Here it is.'],
    delay: async n => {
      if (n > 1) return
      killed()
      await new Promise(() => {})
    },
  })
  await asked
  const { writeFile } = await import('node:fs/promises')
  await writeFile(`${terminal.dir}/kill`, '')
  await terminal.prompts()
  await terminal.ask('/resume 99999999', /List the runs: parley runs/)
  await terminal.ask('/resume', /resumed after entry \d+[^]*Here it is\.[^]*session [0-9a-f-]{36}/)
})

it.each(['/quit', '/exit'])('%s ends the chat', inTerminal, async command => {
  await using terminal = await openTerminal()
  await terminal.prompts()
  terminal.enter(command)
  await terminal.shows('exit 0')
})

/** Short ids of the newest runs, newest first. */
async function newestRuns(terminal: { readonly dir: string }): Promise<readonly string[]> {
  const { openSqliteStore } = await import('@parley/sqlite')
  await using store = await openSqliteStore({ path: `${terminal.dir}/.parley/parley.db` })
  return (await store.runs({ scope: 'default' })).map(({ runId }) => runId)
}

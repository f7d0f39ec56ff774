import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { bundleCli } from '../__fixtures__/bundle-cli.ts'
import { openCli, type Cli } from '../__fixtures__/open-cli.ts'
import { openModelServer, type ServedAnswer } from '../__fixtures__/open-model-server.ts'

const PAY = { name: 'pay', input: { n: 7 } }
const TOOLS = `
export const pay = { name: 'pay', description: 'd', input: { type: 'object' }, permission: 'ask', execute: ({ n }) => 'paid ' + n }
`

interface Options {
  readonly environment?: Readonly<Record<string, string>> | undefined
  readonly delay?: (n: number) => Promise<unknown>
  readonly input?: string | undefined
}

/** `parley serve` with a model that gives these answers, and a command line that uses it from another directory. */
async function setUp(answers: readonly ServedAnswer[], { environment = {}, delay, input }: Options = {}) {
  const model = await openModelServer(answers, delay)
  const variables = { OPENAI_BASE_URL: model.url, OPENAI_MODEL: 'test-model', ...environment }
  const serving = await openCli({ environment: variables })
  await writeFile(join(serving.dir, 'tools.mjs'), TOOLS)
  const { child } = serving.start('serve', '--port', '0', '--tools', 'tools.mjs')
  const [line] = (await once(child.stdout ?? child, 'data')) as [Buffer]
  const [url = ''] = /http:\S+/.exec(line.toString()) ?? []
  const cli = await openCli({ input })
  return {
    model,
    url,
    cli,
    serving,
    run: (name: string, ...args: string[]) => cli.run(name, ...args, '--server', url),
    async [Symbol.asyncDispose]() {
      for (const each of [cli, serving, model]) await each[Symbol.asyncDispose]()
    },
  }
}

beforeAll(bundleCli, 60_000)

const idIn = (out: string): string => /response_[\w-]+/.exec(out)?.[0] ?? ''

it('parley run --server asks the agent of a server and keeps nothing here', async () => {
  await using given = await setUp(['It is **noon**.', 'Again noon.'])
  const { code, out, error } = await given.run('run', '--session', 'clock', 'What time is it?')
  expect([code, error]).toEqual([0, ''])
  expect(out).toMatch(
    /^It is \*\*noon\*\*\.\n\n✓ completed · 7 in \+ 3 out tokens · [\d.]+ s\n {2}response: response_\S+ · session: clock\n$/,
  )
  expect((await given.run('run', '-q', '--session', 'clock', 'And now?')).out).toBe('Again noon.\n')
  expect(JSON.stringify(given.model.requests.at(-1)?.messages)).toContain('What time is it?')
  const events = (await given.run('run', '--json', 'Hello')).out.trim().split('\n')
  expect(JSON.parse(events.at(-1) ?? '')).toMatchObject({ object: 'response', status: 'completed' })
  expect((await given.cli.run('runs')).error).toContain('the database does not exist')
})

it('parley approve --server decides about a call, and a refusal reaches the model with its reason', async () => {
  await using given = await setUp([[PAY], 'Settled.'])
  const waiting = await given.run('run', 'Pay.')
  expect(waiting.code).toBe(3)
  expect(waiting.out).toContain("? Run 'pay' with")
  expect(waiting.out).toContain(`decide: parley approve ${idIn(waiting.out)} --server ${given.url}`)
  const approved = await given.run('approve', idIn(waiting.out))
  expect(approved).toMatchObject({ code: 0, error: '' })
  expect(approved.out).toMatch(/← pay paid 7\nSettled\./)
  expect((await given.run('approve', idIn(waiting.out))).error).toContain('has no pending approval')
  const second = await given.run('run', 'Pay more.')
  expect(await given.run('approve', idIn(second.out), '--reject', 'Not today.')).toMatchObject({ code: 0 })
  expect(JSON.stringify(given.model.requests.at(-1)?.messages)).toContain('Not today.')
})

/** The delay of a model that never answers. `isAsked` resolves when the first request has arrived. */
function endlessAnswer() {
  const asked = Promise.withResolvers<void>()
  const delay = (): Promise<void> => {
    asked.resolve()
    return new Promise(() => {})
  }
  return { delay, isAsked: asked.promise }
}

it('parley cancel --server stops a response, and parley resume --server prints it again', async () => {
  const { delay, isAsked } = endlessAnswer()
  await using given = await setUp(['Too late.'], { delay })
  const { child, ended } = given.cli.start('run', '--json', 'Wait.', '--server', given.url)
  const [line] = (await once(child.stdout ?? child, 'data')) as [Buffer]
  await isAsked
  const id = idIn(line.toString())
  expect((await given.run('cancel', id)).out).toBe(`The server has accepted the cancellation of ${id}.\n`)
  expect((await ended).code).toBe(130)
  const again = await given.run('resume', id)
  expect(again.code).toBe(130)
  expect(again.out).toMatch(/✗ cancelled/)
})

it('Ctrl-C cancels the response on the server', async () => {
  const { delay, isAsked } = endlessAnswer()
  await using given = await setUp(['Too late.'], { delay })
  const { child, ended } = given.cli.start('run', '--json', 'Wait.', '--server', given.url)
  await once(child.stdout ?? child, 'data')
  await isAsked
  child.kill('SIGINT')
  expect((await ended).code).toBe(130)
  const listed = await given.serving.run('runs')
  expect(listed.out).toContain('cancelled')
})

it('parley sessions lists sessions and prints one, on a server and here', async () => {
  await using given = await setUp(['The tide is high.'])
  await given.run('run', '--session', 'tides', 'How is the tide?')
  for (const run of [given.run, given.serving.run]) {
    expect((await run('sessions')).out).toMatch(/^tides {2}completed {2}.* {2}1 run {2}assistant\n$/)
    expect((await run('sessions', 'tides')).out).toBe('> How is the tide?\nThe tide is high.\n')
    expect(await run('sessions', 'other')).toMatchObject({ code: 2 })
  }
})

it('parley chat --server takes each line of its input as a message of one session', async () => {
  await using given = await setUp(['One.', 'Two.'], { input: 'First\n/fork\nSecond\n' })
  const { out, error } = await given.run('chat')
  expect(out).toMatch(/One\.[^]*Two\./)
  expect(error).toContain('A chat with a server has no command /fork.')
  expect(JSON.stringify(given.model.requests.at(-1)?.messages)).toMatch(/First.*Second/)
})

it.each([
  [['gc'], 'the server has no route that removes runs'],
  [['backup', 'x.db'], 'the server has no route that copies its database'],
  [['resume', '--force'], '--force: cannot be combined with --server'],
  [
    ['run', '--tools', 'x.mjs', 'Hi'],
    '--tools: cannot be combined with --server, because the agent and its runs are on the server',
  ],
  [['cancel', 'x', '--db', 'y.db'], '--db: cannot be combined with --server'],
])('parley %j says in one sentence why it cannot use a server', async (args, sentence) => {
  await using cli = await openCli()
  const { code, error } = await cli.run(...args, '--server', 'http://127.0.0.1:9')
  expect(error).toContain(sentence)
  expect(error.trim().split('\n')).toHaveLength(1)
  expect(code).toBe(2)
})

it('--server must be an address, and an unreachable one is named', async () => {
  await using cli = await openCli()
  expect((await cli.run('run', 'Hi', '--server', 'agent')).error).toContain(
    '--server: must be an http or https address',
  )
  const { code, error } = await cli.run('run', 'Hi', '--server', 'http://127.0.0.1:65001')
  expect(code).toBe(2)
  expect(error).toContain('The agent at http://127.0.0.1:65001/process did not answer: connect ECONNREFUSED')
})

it('--key and PARLEY_API_KEY name the client, and without a key the error says how to pass one', async () => {
  const key = 'a-long-random-key-of-alice'
  await using given = await setUp(['In.'], { environment: { PARLEY_API_KEYS: `alice:${key}` } })
  expect((await given.run('run', 'Hi')).error).toContain('--key or PARLEY_API_KEY')
  expect((await given.run('run', '-q', 'Hi', '--key', key)).out).toBe('In.\n')
  await using other: Cli = await openCli({ environment: { PARLEY_API_KEY: key } })
  expect((await other.run('run', '-q', 'Hi', '--server', given.url)).out).toBe('In.\n')
})

// Deep: it starts the command and servers dozens of times; `remote.test.ts` has one of each.
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { bundleCli } from '../__fixtures__/bundle-cli.ts'
import { openCli } from '../__fixtures__/open-cli.ts'
import { openModelServer, type ServedAnswer } from '../__fixtures__/open-model-server.ts'

const PAY = { name: 'pay', input: { n: 7 } }
const TOOLS = `
export const pay = { name: 'pay', description: 'd', input: { type: 'object' }, permission: 'ask', execute: ({ n }) => 'paid ' + n }
export const locate = { name: 'locate', description: 'd', input: { type: 'object' }, execution: 'client' }
`
const KEYS = {
  viewer: 'a-long-random-key-of-vera',
  operator: 'a-long-random-key-of-otto',
  none: 'a-long-random-key-of-nora',
  other: 'a-long-random-key-of-olga',
}
const GIVEN = `vera@team:${KEYS.viewer}:viewer,otto@team:${KEYS.operator}:operator,nora@team:${KEYS.none},olga:${KEYS.other}:operator`

/** `parley serve` with keys of every access, and a command line with the key of an operator. */
async function setUp(answers: readonly ServedAnswer[], delay?: (n: number) => Promise<unknown>) {
  const model = await openModelServer(answers, delay)
  const environment = { OPENAI_BASE_URL: model.url, OPENAI_MODEL: 'test-model', PARLEY_API_KEYS: GIVEN }
  const serving = await openCli({ environment })
  await writeFile(join(serving.dir, 'tools.mjs'), TOOLS)
  const { child } = serving.start('serve', '--port', '0', '--tools', 'tools.mjs')
  const [line] = (await once(child.stdout ?? child, 'data')) as [Buffer]
  const [url = ''] = /http:\S+/.exec(line.toString()) ?? []
  const cli = await openCli()
  const as = (key: string, ...args: string[]) => cli.run(...args, '--server', url, '--key', key)
  return {
    model,
    url,
    cli,
    as,
    run: (...args: string[]) => as(KEYS.operator, ...args),
    async [Symbol.asyncDispose]() {
      for (const each of [cli, serving, model]) await each[Symbol.asyncDispose]()
    },
  }
}

beforeAll(bundleCli, 600_000)

const shortId = (out: string): string => /^[\w-]+/m.exec(out)?.[0] ?? ''

it('parley runs and parley trace --server print what they print for a database, and take short ids', async () => {
  await using given = await setUp(['High at noon.', [PAY]])
  await given.run('run', '--session', 'tides', 'How is the tide?')
  await given.run('run', '--session', 'tides', 'Pay.')
  const listed = await given.run('runs')
  expect(listed).toMatchObject({ code: 0, error: '' })
  const [newest = '', oldest = ''] = listed.out.trim().split('\n')
  expect(newest).toMatch(/^\S+ {2}waits for approval of pay {2}.*assistant {2}Pay\. {2}continue of \S+$/)
  expect(oldest).toMatch(/^\S+ {2}completed +.*assistant {2}How is the tide\?$/)
  const records = (await given.run('runs', '--status', 'suspended', '--json')).out.trim().split('\n')
  expect(records.map(line => JSON.parse(line) as unknown)).toMatchObject([{ sessionId: 'tides', status: 'suspended' }])

  const traced = await given.run('trace', shortId(oldest))
  expect(traced.out).toMatch(/^run \S+ · agent assistant · completed · [^]*session tides\n/)
  expect(traced.out).toMatch(/message\.appended +model: High at noon\./)
  const entries = (await given.run('trace', shortId(oldest), '--json')).out.trim().split('\n')
  expect(JSON.parse(entries[0] ?? '')).toMatchObject({ seq: 1, type: 'run.started' })
  expect(JSON.parse(entries.at(-1) ?? '')).toMatchObject({ type: 'run.ended' })
})

it('parley approve --server lists what is pending, and a decision prints how the run continues', async () => {
  await using given = await setUp([[PAY], 'Paid.'])
  await given.run('run', 'Pay.')
  const pending = await given.run('approve')
  expect(pending.out).toMatch(/^\S+ {2}.* {2}pay \{"n":7\}\nDecide: parley approve \S+ --server http/)
  const approved = await given.run('approve', shortId(pending.out))
  expect(approved).toMatchObject({ code: 0, error: '' })
  expect(approved.out).toMatch(/approved by otto\n→ pay .*\n← pay .*paid 7\nPaid\.\n\n✓ completed · 2 turns/)
  expect(approved.out).toContain(`trace: parley trace `)
  expect(approved.out).toContain(` --server ${given.url}\n`)
  expect((await given.run('approve')).out).toBe('No tool call waits for approval.\n')
})

it('parley approve --server rejects a call, and the model reads the reason', async () => {
  await using given = await setUp([[PAY], 'As you wish.'])
  await given.run('run', 'Pay.')
  const rejected = await given.run('approve', 'last', '--reject', 'Too much.', '-q')
  expect(rejected).toMatchObject({ code: 0, out: 'As you wish.\n' })
  expect(JSON.stringify(given.model.requests.at(-1)?.messages)).toContain('Too much.')
  expect((await given.run('approve', 'last')).error).toContain('waits for no approval')
})

it('parley submit --server gives a run the result of a tool that the client executes', async () => {
  await using given = await setUp([[{ name: 'locate', input: {} }], 'You are in Bern.'])
  expect((await given.run('run', 'Where am I?')).code).toBe(3)
  expect((await given.run('runs')).out).toContain('waits for the client: locate')
  const submitted = await given.run('submit', 'last', 'Bern')
  expect(submitted).toMatchObject({ code: 0, error: '' })
  expect(submitted.out).toContain('You are in Bern.')
  expect(JSON.stringify(given.model.requests.at(-1)?.messages)).toContain('Bern')
  expect((await given.run('submit', 'last', 'Basel')).error).toContain('waits for no result of a client')
})

it('parley fork --server answers again in the same session, with another message', async () => {
  await using given = await setUp(['One.', 'Two.'])
  await given.run('run', '--session', 's', 'First?')
  const again = await given.run('fork', 'last', '--at', '2')
  expect(again).toMatchObject({ code: 0, error: '' })
  expect(again.out).toMatch(/^One\.\n\n✓ completed/)
  expect((await given.run('fork', 'last', '--input', 'And then?', '-q')).out).toBe('Two.\n')
  expect(JSON.stringify(given.model.requests.at(-1)?.messages)).toContain('And then?')
  const listed = (await given.run('runs', '--session', 's')).out.trim().split('\n')
  expect(listed).toHaveLength(3)
  expect(listed[0]).toMatch(/branch of \S+$/)
})

it('parley compact --server summarizes a session, which continues from the summary', async () => {
  await using given = await setUp(['One.', 'Two.'])
  for (const text of ['First?', 'Second?']) await given.run('run', '--session', 's', text)
  const compacted = await given.run('compact', '--keep', '1', '--focus', 'counting')
  expect(compacted).toMatchObject({ code: 0, error: '' })
  expect(JSON.stringify(given.model.requests.at(-1)?.messages)).toContain('counting')
  await given.run('run', '--session', 's', 'Third?')
  const asked = JSON.stringify(given.model.requests.at(-1)?.messages)
  expect(asked).toContain('[Summary of the conversation so far]')
  expect(asked).not.toContain('First?')
})

it('parley steer, resume and cancel --server reach a run that the server drives', async () => {
  const asked = Promise.withResolvers<void>()
  const delay = (): Promise<void> => {
    asked.resolve()
    return new Promise(() => {})
  }
  await using given = await setUp(['Too late.'], delay)
  const { ended } = given.cli.start('run', 'Wait.', '--server', given.url, '--key', KEYS.operator)
  await asked.promise
  expect((await given.run('steer', 'last', 'Use metric units.')).out).toMatch(/^Sent to run \S+\.\n$/)
  expect((await given.run('steer', 'last', 'Then in French.', '--follow-up')).code).toBe(0)
  const { child, ended: followed } = given.cli.start('resume', '--json', '--server', given.url, '--key', KEYS.operator)
  const [first] = (await once(child.stdout ?? child, 'data')) as [Buffer]
  expect(first.toString()).toContain('"run.started"')
  expect((await given.run('cancel', 'last', '--reason', 'wrong file')).out).toMatch(/^Run \S+: cancelled\.\n$/)
  expect((await followed).code).toBe(130)
  expect((await ended).code).toBe(130)
  const traced = (await given.run('trace')).out
  expect(traced).toContain('Use metric units.')
  expect((await given.run('trace', '--json')).out).toContain('"detail":"wrong file"')
  expect((await given.run('resume')).out).toMatch(/^Run \S+ has already ended: cancelled\.\n/)
})

it('each refusal of a server says in one sentence what the key lacks', async () => {
  await using given = await setUp([[PAY]])
  await given.run('run', 'Pay.')
  const cases = [
    ['nobody', ['runs'], /Pass an API key of the server with --key or PARLEY_API_KEY\./],
    [KEYS.none, ['runs'], /requires the access 'viewer'.*no access to the Runs API.*PARLEY_API_KEYS=NAME:KEY:viewer/],
    [
      KEYS.viewer,
      ['steer', 'last', 'x'],
      /requires the access 'operator'.*'viewer'.*PARLEY_API_KEYS=NAME:KEY:operator/,
    ],
    [KEYS.viewer, ['approve', 'last'], /requires the access 'operator'/],
    [KEYS.operator, ['trace', 'unknown-run'], /There is no run 'unknown-run'.*parley runs --server http/],
    [KEYS.other, ['trace', 'last'], /There is no run 'last'/],
  ] as const
  for (const [key, args, sentence] of cases) {
    const { code, error } = await given.as(key, ...args)
    expect(error).toMatch(sentence)
    expect(error.trim().split('\n')).toHaveLength(1)
    expect(code).toBe(2)
  }
  expect((await given.as(KEYS.viewer, 'runs')).code).toBe(0)
  expect((await given.as(KEYS.other, 'runs')).out).toBe('No runs.\n')
})

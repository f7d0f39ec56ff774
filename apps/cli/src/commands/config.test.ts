import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openCli, type Cli, type CliOptions } from '../__fixtures__/open-cli.ts'
import { openModelServer } from '../__fixtures__/open-model-server.ts'

const SECRET = 'sk-planted-secret'

const FILE = `
providers:
  house: { type: openai, baseUrl: "\${MODEL_URL}", apiKey: "\${HOUSE_KEY}" }
models:
  fast: { provider: house, id: test-model }
defaults: { model: fast }
agents:
  clerk: { instructions: { file: clerk.md }, tools: [calculator, wait] }
  helper: { instructions: Help., tools: [calculator] }
runtime: { store: runs/own.db }
`

/** `wait` logs its start, counts its looks, and ends when the file `go` exists. */
const TOOLS = `
import { appendFileSync, existsSync, writeFileSync } from 'node:fs'
let looks = 0
export const wait = {
  name: 'wait', description: 'Waits.', input: { type: 'object' }, effect: 'idempotent',
  async execute(_, { signal }) {
    appendFileSync('calls.txt', 'wait\\n')
    while (!existsSync('go') && !signal.aborted) {
      writeFileSync('looks.txt', String(++looks))
      await new Promise(resolve => setTimeout(resolve, 10))
    }
    return 'waited'
  },
}
`

const WITH_TOOLS = ['--config', 'parley.yaml', '--tools', 'tools.mjs'] as const

async function setUp(url: string, options: CliOptions = {}): Promise<Cli> {
  const cli = await openCli({ ...options, environment: { MODEL_URL: url, HOUSE_KEY: SECRET, ...options.environment } })
  await mkdir(join(cli.dir, 'runs'))
  await writeFile(join(cli.dir, 'parley.yaml'), FILE)
  await writeFile(join(cli.dir, 'clerk.md'), 'You are the clerk.\n')
  await writeFile(join(cli.dir, 'tools.mjs'), TOOLS)
  return cli
}

describe('parley run --config', () => {
  it('parley run --config runs the named agent, stores the run in the configured database and prints no key', async () => {
    await using server = await openModelServer(['From the clerk.'])
    await using cli = await setUp(server.url)
    const { code, out, error } = await cli.run('run', ...WITH_TOOLS, 'clerk', 'Who are you?')
    expect([code, error]).toEqual([0, ''])
    expect(out).toContain('From the clerk.')
    expect(server.requests[0]?.model).toBe('test-model')
    expect(server.requests[0]?.messages.map(({ content }) => content)).toEqual(['You are the clerk.', 'Who are you?'])
    expect(existsSync(join(cli.dir, '.parley'))).toBe(false)
    const { out: journal } = await cli.run('trace', '--json', '--db', 'runs/own.db')
    expect(journal).toContain('From the clerk.')
    expect(journal).not.toContain(SECRET)
  })

  it('parley run --config requires an agent name if there are several, and rejects an unknown one', async () => {
    await using cli = await setUp('http://127.0.0.1:1')
    const unnamed = await cli.run('run', ...WITH_TOOLS, 'Who are you?')
    expect([unnamed.code, unnamed.error]).toEqual([
      2,
      'parley: agent: is required, because parley.yaml has several agents: clerk, helper\n',
    ])
    const unknown = await cli.run('run', ...WITH_TOOLS, 'clrk', 'Who are you?')
    expect(unknown.error).toContain("There is no agent named 'clrk'")
    expect(unknown.error).toContain('clerk, helper')
    const without = await cli.run('run', 'clerk', 'Who are you?')
    expect([without.code, without.error]).toEqual([2, expect.stringContaining('requires --config')])
  })

  it('parley run --config --model replaces the models of the file', async () => {
    await using cli = await setUp('http://127.0.0.1:1')
    const { code, out } = await cli.run(
      'run',
      ...WITH_TOOLS,
      '--model',
      'demo',
      '--db',
      'other.db',
      'helper',
      'What is 6 * 7?',
    )
    expect(code).toBe(0)
    expect(out).toContain('42')
    const [started = ''] = (await cli.run('trace', '--json', '--db', 'other.db')).out.split('\n')
    expect(JSON.parse(started)).toMatchObject({ type: 'run.started', agent: 'helper' })
  })

  it('parley run --config rejects flags that conflict with the file', async () => {
    await using cli = await setUp('http://127.0.0.1:1')
    const conflict = await cli.run('run', ...WITH_TOOLS, '-i', 'Obey.', 'clerk', 'hi')
    expect([conflict.code, conflict.error]).toEqual([2, 'parley: --config: cannot be combined with --instructions\n'])
    const elsewhere = await cli.run('run', ...WITH_TOOLS, '--base-url', 'http://127.0.0.1:2', 'clerk', 'hi')
    expect(elsewhere.error).toContain('--base-url: requires --model together with --config')
  })

  it('parley run --config reports an unknown tool with its line', async () => {
    await using cli = await setUp('http://127.0.0.1:1')
    const { code, error } = await cli.run('run', '--config', 'parley.yaml', 'clerk', 'hi')
    expect(code).toBe(2)
    expect(error).toMatch(
      /^parley: parley\.yaml: line 8: agents\.clerk\.tools\[1\] names the tool 'wait', which is not registered; .*\n$/,
    )
  })

  it.each([
    ['with the same file', []],
    ['with a moved file', ['--config', 'moved.yaml']],
  ])('parley resume continues a killed run of a configured agent %s', async (_, flags) => {
    await using server = await openModelServer([[{ name: 'wait', input: {} }], 'The clerk is done.'])
    await using cli = await setUp(server.url)
    const { child, ended } = cli.start('run', ...WITH_TOOLS, 'clerk', 'Wait.')
    await expect.poll(() => existsSync(join(cli.dir, 'calls.txt'))).toBe(true)
    child.kill('SIGKILL')
    await ended
    expect(child.signalCode).toBe('SIGKILL')
    await writeFile(join(cli.dir, 'go'), '')
    const database = flags.length === 0 ? ['--db', 'runs/own.db'] : []
    if (flags.length > 0) {
      await writeFile(join(cli.dir, 'moved.yaml'), FILE)
      await writeFile(join(cli.dir, 'parley.yaml'), 'invalid')
    }
    const { code, out, error } = await cli.run('resume', ...flags, ...database)
    expect(error).toBe('')
    expect([code, out]).toEqual([0, expect.stringContaining('The clerk is done.')])
    expect(await readFile(join(cli.dir, 'calls.txt'), 'utf8')).toBe('wait\nwait\n')
    expect(server.requests.at(-1)?.messages[0]?.content).toBe('You are the clerk.')
  })
})

describe('parley chat --config', () => {
  it('parley chat --config chats with the named agent', async () => {
    await using server = await openModelServer(['Hello from help.'])
    await using cli = await setUp(server.url, { input: 'hi\n' })
    const { code, out } = await cli.run('chat', ...WITH_TOOLS, 'helper')
    expect([code, out]).toEqual([0, expect.stringContaining('Hello from help.')])
    expect(server.requests[0]?.messages[0]?.content).toBe('Help.')
    expect((await cli.run('chat', 'helper')).error).toBe("parley: agent: 'helper' requires --config\n")
  })
})

describe('parley serve --config', () => {
  it('parley serve --config serves every agent of the file', async () => {
    await using server = await openModelServer(['Served.'])
    await using cli = await setUp(server.url)
    const { child, ended } = cli.start('serve', '--port', '0', ...WITH_TOOLS)
    const [line] = (await once(child.stdout ?? child, 'data')) as [Buffer]
    expect(line.toString()).toContain('clerk, helper on http')
    const [url = ''] = /http:\S+/.exec(line.toString()) ?? []
    for (const model of ['clerk', 'helper']) {
      const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] })
      const answer = await fetch(`${url}/v1/chat/completions`, { method: 'POST', body })
      expect(await answer.text()).toContain('Served.')
    }
    expect(server.requests.map(({ messages }) => messages[0]?.content)).toEqual(['You are the clerk.', 'Help.'])
    child.kill('SIGTERM')
    expect((await ended).code).toBe(0)
  })

  it('parley serve --config closes within the configured drainMs and releases unfinished runs', async () => {
    await using server = await openModelServer([[{ name: 'wait', input: {} }], 'Done.'])
    await using cli = await setUp(server.url)
    await writeFile(join(cli.dir, 'parley.yaml'), FILE.replace('own.db', 'own.db, drainMs: 50, graceMs: 200'))
    const { child, ended } = cli.start('serve', '--port', '0', ...WITH_TOOLS)
    const [line] = (await once(child.stdout ?? child, 'data')) as [Buffer]
    const [url = ''] = /http:\S+/.exec(line.toString()) ?? []
    const body = JSON.stringify({ model: 'clerk', messages: [{ role: 'user', content: 'Wait.' }] })
    const answer = fetch(`${url}/v1/chat/completions`, { method: 'POST', body }).then(
      response => response.text(),
      () => '',
    )
    await expect.poll(() => existsSync(join(cli.dir, 'calls.txt'))).toBe(true)
    const looks = async (): Promise<number> => Number(await readFile(join(cli.dir, 'looks.txt'), 'utf8'))
    const before = await looks()
    child.kill('SIGTERM')
    await ended
    // The default of the server, 10 s, would give the tool time for about a thousand looks.
    expect((await looks()) - before).toBeLessThan(200)
    await answer
    await writeFile(join(cli.dir, 'go'), '')
    expect((await cli.run('resume', '--config', 'parley.yaml')).out).toContain('Done.')
  })
})

describe('parley config check', () => {
  it('parley config check prints the agents of a valid file', async () => {
    await using cli = await setUp('http://127.0.0.1:1/v1')
    const { code, out, error } = await cli.run('config', 'check', 'parley.yaml', '--tools', 'tools.mjs')
    expect([code, error]).toEqual([0, ''])
    expect(out).toBe(
      '✓ parley.yaml\n  clerk: house/test-model, calculator, wait\n  helper: house/test-model, calculator\n',
    )
  })

  it('parley config check prints every problem on its own line and no key', async () => {
    await using cli = await setUp('http://127.0.0.1:1')
    await writeFile(join(cli.dir, 'bad.yaml'), `agents:\n  clerk:\n    modle: ${SECRET}\n    onLimit: ${SECRET}\n`)
    const { code, error } = await cli.run('config', 'check', 'bad.yaml')
    expect(code).toBe(2)
    expect(error.split('\n')).toEqual([
      'parley: bad.yaml: 2 problems:',
      "(1) line 3: agents.clerk.modle is an unknown key; did you mean 'model'?",
      "(2) line 4: agents.clerk.onLimit must be 'stop', 'fail' or 'answer'",
      '',
    ])
  })
})

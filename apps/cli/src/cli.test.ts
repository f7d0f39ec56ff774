import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openCli } from './__fixtures__/open-cli.ts'
import { openModelServer } from './__fixtures__/open-model-server.ts'

// oxlint-disable-next-line no-control-regex -- a pipe must not receive control codes
const CONTROL_CODE = /\u001b/

describe('parley run', () => {
  it('parley run prints tool calls, the answer, the tokens and the command that shows its trace', async () => {
    await using cli = await openCli()
    const { code, out, error } = await cli.run('run', 'What is 12 * 34?')
    expect(error).toBe('')
    expect(code).toBe(0)
    expect(out).toContain('→ calculator {"expression":"12 * 34"}')
    expect(out).toMatch(/← calculator \d+ ms 408/)
    expect(out).toContain('12 * 34 = 408.')
    expect(out).toMatch(/✓ completed · 2 turns · \d+ in \+ \d+ out tokens · cost unknown · \d/)
    expect(out).toMatch(/trace: parley trace [0-9a-f-]{36}\n/)
    expect(out).not.toMatch(CONTROL_CODE)
    expect(existsSync(join(cli.dir, '.parley/parley.db'))).toBe(true)
  })

  it('parley run -q prints only the final answer, and no text of earlier turns', async () => {
    await using cli = await openCli()
    expect((await cli.run('run', '-q', 'What is 2 + 2?')).out).toBe('2 + 2 = 4.\n')
  })

  it('parley run --json prints every event as a line of JSON', async () => {
    await using cli = await openCli()
    const { out } = await cli.run('run', '--json', '2 + 2')
    const events = out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as { type: string })
    expect(events[0]?.type).toBe('run.started')
    expect(events.at(-1)).toMatchObject({ type: 'run.ended', outcome: { status: 'completed' } })
  })

  it('parley run - reads the question from standard input', async () => {
    await using cli = await openCli({ input: 'what is 3 cubed?' })
    expect((await cli.run('run', '-q', '-')).out).toContain('= 27.')
  })

  it('parley run calls a model server and reads only files below the root', async () => {
    await using server = await openModelServer([
      [
        { name: 'read', input: { path: 'notes.txt' } },
        { name: 'read', input: { path: '../../etc/passwd' } },
      ],
      'They say hello.',
    ])
    await using cli = await openCli({
      environment: { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'sk-planted-secret' },
    })
    await writeFile(join(cli.dir, 'notes.txt'), 'hello\n')
    const { code, out, error } = await cli.run('run', '--model', 'test-model', 'What do my notes say?')
    expect(error).toBe('')
    expect(code).toBe(0)
    expect(out).toContain('They say hello.')
    expect(out).toContain('14 in + 6 out tokens')
    const told = JSON.stringify(server.requests[1]?.messages)
    expect(told).toContain('hello')
    expect(told).not.toContain('root:')
    expect(out).not.toContain('sk-planted-secret')
  })

  it('parley run --session continues a session', async () => {
    await using server = await openModelServer(['Noted.', 'You said seven.'])
    await using cli = await openCli({ environment: { OPENAI_BASE_URL: server.url } })
    await cli.run('run', '--session', 's1', '--model', 'test-model', 'Remember seven.')
    expect((await cli.run('run', '-q', '--session', 's1', '--model', 'test-model', 'What did I say?')).out).toBe(
      'You said seven.\n',
    )
    expect(server.requests[1]?.messages.map(message => message.role)).toEqual(['user', 'assistant', 'user'])
  })
})

describe('an invalid call', () => {
  it.each([
    ['an unknown command', ['fly'], "unknown command 'fly'"],
    ['an unknown option', ['run', '--fly', 'x'], "unknown option '--fly'"],
    ['a missing question', ['run'], "missing required argument 'question'"],
    ['an empty question', ['run', ' '], 'question: must not be empty'],
    ['a missing file', ['run', '--mcp', 'gone.json', 'x'], 'Cannot read gone.json: the file does not exist'],
    ['an mcp.json with invalid JSON', ['run', '--mcp', 'broken.json', 'x'], 'broken.json: must be valid JSON'],
    ['a corrupt database', ['run', '--db', 'broken.json', 'x'], 'broken.json'],
    ['a database that is a directory', ['run', '--db', 'folder', 'x'], 'folder'],
    ['an unknown model', ['run', '--model', 'gpt-9', 'x'], "There is no model named 'gpt-9'"],
    [
      'an address without a server',
      ['run', '--base-url', 'http://127.0.0.1:9', '--model', 'm', 'x'],
      'could not be reached',
    ],
    ['an MCP server that exits at start', ['run', '--mcp', 'dying.json', 'x'], "MCP server 'dying' failed"],
    ['an invalid tool schema', ['run', '--tools', 'tool.mjs', 'x'], "The input schema of 'bad' is invalid"],
    ['a module without tools', ['run', '--tools', 'empty.mjs', 'x'], 'empty.mjs: must export at least one tool'],
    ['an invalid limit', ['run', '--max-turns', 'many', 'x'], "--max-turns: must be a positive integer, not 'many'"],
    ['a missing root', ['run', '--root', 'gone', 'x'], 'gone'],
    ['an unknown run', ['trace', 'cafe', '--db', 'empty.db'], "There is no run 'cafe'"],
    ['a missing database', ['trace', '--db', 'gone.db'], 'Cannot read gone.db: the database does not exist'],
  ])('parley reports %s in one line and exits with 2', async (_, args, message) => {
    await using cli = await openCli()
    await mkdir(join(cli.dir, 'folder'))
    await writeFile(join(cli.dir, 'broken.json'), 'neither a database nor JSON '.repeat(64))
    await writeFile(join(cli.dir, 'empty.db'), '')
    await writeFile(
      join(cli.dir, 'dying.json'),
      JSON.stringify({ mcpServers: { dying: { command: process.execPath, args: ['-e', 'process.exit(3)'] } } }),
    )
    await writeFile(
      join(cli.dir, 'tool.mjs'),
      "export const bad = { name: 'bad', description: 'd', input: { type: 'objekt' }, execute: () => 1 }",
    )
    await writeFile(join(cli.dir, 'empty.mjs'), 'export const nothing = 1')
    const { code, error } = await cli.run(...args)
    expect(error).toContain(message)
    expect(error.trim().split('\n')).toHaveLength(1)
    expect(error).not.toMatch(/\bat .*:\d+:\d+/)
    expect(code).toBe(2)
  })

  it('parley without arguments prints the help', async () => {
    await using cli = await openCli()
    const { code, out, error } = await cli.run()
    expect(code).toBe(2)
    expect(out + error).toContain('Usage: parley')
    expect((await cli.run('run', '--help')).code).toBe(0)
    expect((await cli.run('--version')).out).toMatch(/^\d+\.\d+\.\d+\n$/)
  })
})

describe('parley chat', () => {
  it('parley chat answers each line of a pipe in one session', async () => {
    await using server = await openModelServer(['First.', 'Second.'])
    await using cli = await openCli({
      input: 'one\n\ntwo\n/exit\nthree\n',
      environment: { OPENAI_BASE_URL: server.url },
    })
    const { code, out } = await cli.run('chat', '--model', 'test-model')
    expect(code).toBe(0)
    expect(out.indexOf('First.')).toBeLessThan(out.indexOf('Second.'))
    expect(server.requests).toHaveLength(2)
    expect(server.requests[1]?.messages).toHaveLength(3)
  })
})

describe('parley trace', () => {
  it('parley trace prints the journal of the last run, entry by entry', async () => {
    await using cli = await openCli()
    await cli.run('run', '-q', '6 * 7')
    const { code, out } = await cli.run('trace')
    expect(code).toBe(0)
    for (const part of [
      'run.started',
      'tool.started',
      'calculator {"expression":"6 * 7"}',
      'tool.ended',
      '42',
      'run.ended',
    ])
      expect(out).toContain(part)
    const lines = (await cli.run('trace', '--json')).out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as { seq: number })
    expect(lines.map(entry => entry.seq)).toEqual(lines.map((_, index) => index + 1))
  })
})

describe('parley doctor', () => {
  it('parley doctor reports a healthy setup and every fault', async () => {
    await using cli = await openCli()
    const healthy = await cli.run('doctor')
    expect(healthy.out).toContain('ok    database')
    expect(healthy.code).toBe(0)
    const faulty = await cli.run('doctor', '--base-url', 'http://127.0.0.1:9', '--mcp', 'gone.json')
    expect(faulty.out).toMatch(/fault model .*could not be reached/)
    expect(faulty.out).toMatch(/fault agent .*the file does not exist/)
    expect(faulty.code).toBe(2)
  })
})

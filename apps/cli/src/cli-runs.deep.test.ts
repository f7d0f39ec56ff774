// Deep: it starts the command about a hundred times to list and search runs.
import { describe, expect, it } from 'vitest'
import { openCli, type Cli } from './__fixtures__/open-cli.ts'
import { openModelServer } from './__fixtures__/open-model-server.ts'

const ID = /^[0-9a-f-]{8,}/gm

/** Ids of the runs that `parley runs` lists, in full. */
async function listed(cli: Cli, ...flags: string[]): Promise<string[]> {
  const { out } = await cli.run('runs', '--json', ...flags)
  return [...out.matchAll(/"runId":"([^"]+)"/g)].map(([, id = '']) => id)
}

describe('parley runs, fork and gc', () => {
  it(
    'parley runs lists runs, fork branches one with its agent, and gc removes only old ones',
    { timeout: 600_000 },
    async () => {
      await using server = await openModelServer(['To the first message.', 'To the second.'])
      await using cli = await openCli({ environment: { OPENAI_BASE_URL: server.url } })
      await cli.run('run', '--model', 'test-model', '-i', 'Be brief.', 'one')
      const forked = await cli.run('fork', 'last', '--at', '1', '--input', 'two')
      expect(forked).toMatchObject({ code: 0, error: '' })
      expect(forked.out).toContain('To the first message.')
      expect(server.requests[1]?.messages.map(({ role, content }) => [role, content])).toEqual([
        ['system', 'Be brief.'],
        ['user', 'two'],
      ])
      expect((await cli.run('fork', 'last', '--input', 'three', '--session', 'elsewhere')).out).toContain(
        'To the second.',
      )

      const { out } = await cli.run('runs')
      const [third, second, first] = await listed(cli)
      const short = out.match(ID) ?? []
      expect(short.map((id, index) => [third, second, first][index]?.startsWith(id))).toEqual([true, true, true])
      expect(out.split('\n')[1]).toMatch(
        new RegExp(`^${short[1]} +completed +(?:just now|.* ago) +assistant +two +branch of ${short[2]}$`),
      )
      expect(third).toBeDefined()
      expect(await listed(cli, '--limit', '1')).toEqual([third])
      expect(await listed(cli, '--session', 'elsewhere')).toEqual([third])
      expect(await listed(cli, '--relation', 'initial')).toEqual([first])
      expect(await listed(cli, '--parent', first?.slice(-8) ?? '')).toEqual([second])
      expect(await listed(cli, '--relation', 'branch', '--parent', short[1] ?? '')).toEqual([third])
      expect((await cli.run('runs', '--status', 'failed')).out).toBe('No runs.\n')
      expect(JSON.parse((await cli.run('runs', '--json', '-n', '1')).out)).toMatchObject({
        runId: third,
        parent: second,
      })
      expect((await cli.run('trace', second ?? '')).out).toContain(`branches off ${first} at 1`)

      expect((await cli.run('gc')).out).toBe('Removed 0 runs.\n')
      expect((await cli.run('runs')).out.match(ID)).toHaveLength(3)
    },
  )

  it('parley compact summarizes a session, which then sends the summary to the model', async () => {
    // The server answers a request without assistant messages with its first answer, so `First.` is also the summary.
    await using server = await openModelServer(['First.', 'Second.', 'Third.'])
    await using cli = await openCli({ environment: { OPENAI_BASE_URL: server.url } })
    for (const text of ['one', 'two']) await cli.run('run', '--model', 'test-model', '-s', 's', text)
    const { code, out } = await cli.run('compact', '--keep', '1', '--focus', 'numbers')
    expect(code).toBe(0)
    expect(out).toContain('summarize: 4 messages to 3 for the model')
    expect(server.requests[2]?.messages[0]?.content).toContain('numbers')
    expect((await cli.run('trace')).out).toContain('compacts the session of')
    await cli.run('run', '--model', 'test-model', '-s', 's', 'three')
    expect(server.requests[3]?.messages.map(({ content }) => content)).toEqual([
      '[Summary of the conversation so far]\nFirst.',
      'two',
      'Second.',
      'three',
    ])
    expect((await cli.run('runs', '--relation', 'compaction')).out.match(ID)).toHaveLength(1)
  })

  it('parley backup copies the database, and other commands work on the copy', async () => {
    await using cli = await openCli()
    await cli.run('run', '-q', '2 + 2')
    expect(await cli.run('backup', 'copies/one.db')).toMatchObject({ code: 0, error: '' })
    const copied = await cli.run('runs', '--db', 'copies/one.db')
    expect(copied.out.match(ID)).toEqual((await cli.run('runs')).out.match(ID))
    expect(copied.out.match(ID)).toHaveLength(1)
    const again = await cli.run('backup', 'copies/one.db')
    expect(again).toMatchObject({ code: 2, error: expect.stringContaining('already exists') })
    const nothing = await cli.run('backup', '--db', 'missing.db', 'copy.db')
    expect(nothing).toMatchObject({ code: 2, error: expect.stringContaining('the database does not exist') })
  })

  it.each([
    [['runs', '--status', 'odd'], '--status: must be one of running'],
    [['runs', '--relation', 'odd'], '--relation: must be one of initial'],
    [['runs', '--parent', 'missing'], "run 'missing'"],
    [['runs', '--limit', '0'], "--limit: must be a positive integer, not '0'"],
    [['fork', 'last', '--at', '99', '--input', 'x'], 'at: is 99, the run has the entries 1 to'],
    [['fork', 'last'], 'input: is missing'],
    [['compact', '--keep', '0'], "--keep: must be a positive integer, not '0'"],
    [['compact', 'missing'], "run 'missing'"],
    [['gc', '--days', 'many'], "--days: must be a positive integer, not 'many'"],
  ])('parley reports the error of %j in one line and exits with 2', async (args, message) => {
    await using cli = await openCli()
    await cli.run('run', '-q', '2 + 2')
    const { code, error } = await cli.run(...args)
    expect(code).toBe(2)
    expect(error).toContain(message)
    expect(error.trim().split('\n')).toHaveLength(1)
  })
})

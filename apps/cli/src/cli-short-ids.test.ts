import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openSqliteStore } from '@parley/sqlite'
import { expect, it } from 'vitest'
import { openCli } from './__fixtures__/open-cli.ts'
import { openModelServer } from './__fixtures__/open-model-server.ts'

const TOOLS = `
const input = { type: 'object' }
export const pay = { name: 'pay', description: 'Pays.', input, permission: 'ask', execute: () => 'paid' }
`

/** Adds an ended run with this id. */
async function addRun(database: string, runId: string): Promise<void> {
  await using store = await openSqliteStore({ path: database })
  const at = 1_000
  const common = { v: 1, at } as const
  await store.append({
    runId,
    expectedSeq: 0,
    fence: 1,
    worker: 'w',
    entries: [
      {
        ...common,
        seq: 1,
        type: 'run.started',
        agent: 'assistant',
        model: 'demo/offline',
        sessionId: runId,
        scope: 'default',
        relation: 'initial',
      },
    ],
  } as never)
}

it('every command accepts a unique prefix of an id and lists the candidates of an ambiguous one', async () => {
  await using cli = await openCli()
  await cli.run('run', '-q', '2 + 2')
  const database = join(cli.dir, '.parley/parley.db')
  for (const id of ['abcd1111-0000', 'abcd2222-0000']) await addRun(database, id)
  expect((await cli.run('trace', 'abcd1')).out).toContain('run abcd1111-0000')
  expect(await cli.run('trace', 'abcd')).toEqual({
    code: 2,
    out: '',
    error: expect.stringMatching(
      /^parley: run: 'abcd' fits 2 runs: abcd2222 \(assistant, running, \d+ days ago\), abcd1111 \(.*\)\n$/,
    ) as string,
  })
  expect((await cli.run('trace', 'abc')).error).toContain("There is no run 'abc'")
})

it('runs, doctor and approve show what a suspended run waits for', async () => {
  await using server = await openModelServer([[{ name: 'pay', input: {} }], 'Paid.'])
  await using cli = await openCli({ environment: { OPENAI_BASE_URL: server.url } })
  expect((await cli.run('approve', '--db', 'none.db')).error).toContain('the database does not exist')
  await writeFile(join(cli.dir, 'tools.mjs'), TOOLS)
  await cli.run('run', '--model', 'test-model', '--tools', 'tools.mjs', 'Pay it.')
  expect((await cli.run('runs')).out).toMatch(
    /^[0-9a-f-]{8,} {2}waits for approval of pay {2}.* assistant {2}Pay it\.\n$/,
  )
  expect((await cli.run('doctor', '--model', 'demo')).out).toContain('1 runs, 0 running, 1 suspended; parley approve')
  const listed = await cli.run('approve')
  expect(listed).toEqual({
    code: 0,
    error: '',
    out: expect.stringMatching(
      /^([0-9a-f-]{8,}) {2}.* {2}pay \{\}\nDecide: parley approve \1 \[--reject REASON\]\n$/,
    ) as string,
  })
  expect((await cli.run('approve', '--reject', 'no')).error).toContain('run: is required with --reject')
  const [id = ''] = listed.out.split(' ')
  expect(await cli.run('approve', '-q', id)).toEqual({ code: 0, out: 'Paid.\n', error: '' })
  expect((await cli.run('approve')).out).toBe('No tool call waits for approval.\n')
})

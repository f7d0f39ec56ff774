// Deep: it runs a program at each commit of a range.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { linkPackages } from '../../__fixtures__/link-packages.ts'
import { openCli, type Cli } from '../../__fixtures__/open-cli.ts'

/** The module of the agents. Its tool writes a file, which shows whether it was executed. */
const agents = (instructions: string) => `
import { appendFileSync } from 'node:fs'
import { defineTool } from '@parley/core'
import { defineAgent } from '@parley/engine'
import { scriptedModel } from '@parley/testing'
import { openSqliteStore } from '@parley/sqlite'
const pay = defineTool({
  name: 'pay', description: 'Pays.', input: { type: 'object' },
  execute: () => { appendFileSync(new URL('./paid.txt', import.meta.url), 'x'); return 'paid' },
})
const model = scriptedModel([{ toolCalls: [{ name: 'pay' }] }, 'Done.'])
export const clerk = defineAgent({ name: 'clerk', instructions: ${JSON.stringify(instructions)}, model, tools: [pay] })
`

/** The folder for temporary files of the command alone. */
let temporary = ''
beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), 'parley-temporary-'))
})
afterEach(() => rmSync(temporary, { recursive: true, force: true }))

const RECORD = `
import { createRuntime } from '@parley/engine'
import { openSqliteStore } from '@parley/sqlite'
import { clerk } from './agents.mjs'
await using store = await openSqliteStore({ path: 'runs.db' })
await createRuntime({ store, agents: [clerk], captureRequests: 'keep' }).run('clerk', 'Pay ann@example.org.').orThrow()
`

function git({ dir }: Cli, ...args: readonly string[]): string {
  const identity = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', '-c', 'commit.gpgsign=false']
  return execFileSync('git', [...identity, ...args], {
    cwd: dir,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim()
}

/** A repository with a commit for each text of the module. `null` removes the module. Records a run with the first commit. */
async function openRepository(versions: readonly (string | null)[]): Promise<Cli> {
  const cli = await openCli({ environment: { TMPDIR: temporary } })
  git(cli, 'init', '-q', '-b', 'main')
  await linkPackages(cli.dir)
  writeFileSync(join(cli.dir, '.gitignore'), 'node_modules\nruns.db*\npaid.txt\n')
  writeFileSync(join(cli.dir, 'record.mjs'), RECORD)
  for (const [index, version] of versions.entries()) {
    if (version === null) git(cli, 'rm', '-q', 'agents.mjs')
    else writeFileSync(join(cli.dir, 'agents.mjs'), version)
    git(cli, 'add', '-A')
    git(cli, 'commit', '-q', '--allow-empty', '-m', `Version ${index}`)
    if (index === 0) execFileSync(process.execPath, ['record.mjs'], { cwd: cli.dir, stdio: 'inherit' })
  }
  return cli
}

const bisect = (cli: Cli, ...flags: readonly string[]) =>
  cli.run('bisect', 'last', '--db', 'runs.db', '--agents', 'agents.mjs', ...flags)

describe('parley bisect', () => {
  it(
    'parley bisect names the first commit with other requests, skips what cannot be loaded, and executes no tool',
    { timeout: 600_000 },
    async () => {
      const same = agents('Be brief.')
      const versions = [same, `${same}// a comment`, same, same, null, agents('Be long.'), agents('Be very long.')]
      await using cli = await openRepository(versions)
      const { code, out, error } = await bisect(cli, '--good', 'HEAD~6')
      expect([code, error]).toEqual([0, ''])
      const short = (commit: string) => git(cli, 'rev-parse', '--short', commit)
      expect(out).toContain(
        `First commit that differs, as far as commits could be tested: ${short('HEAD~1')} Version 5 (Ann, `,
      )
      expect(out).toContain(`It could also be the skipped ${short('HEAD~2')} Version 4\n`)
      expect(out).toContain('system[0].text:\n    - Be brief.\n    + Be long.')
      expect(out).toContain('skipped    Version 4\n           the file of the agents is missing')
      expect(out).not.toContain('Record the cassette')
      expect(git(cli, 'worktree', 'list').split('\n')).toHaveLength(1)
      expect(readdirSync(temporary)).toEqual([])
      // Only the run that was recorded has paid.
      expect(execFileSync('cat', ['paid.txt'], { cwd: cli.dir, encoding: 'utf8' })).toBe('x')
    },
  )

  it('parley bisect explains what is wrong with the range, the file and the run', { timeout: 600_000 }, async () => {
    const same = agents('Be brief.')
    await using cli = await openRepository([same, agents('Be long.'), same])
    expect(await bisect(cli)).toMatchObject({ code: 2, error: expect.stringContaining('--good COMMIT') })
    for (const [flags, message] of [
      [['--good', 'nope'], "--good: 'nope' is not a commit of"],
      [['--good', 'HEAD'], 'so the range is empty'],
      [['--good', 'HEAD', '--bad', 'HEAD~1'], 'is not an ancestor of'],
      [['--good', 'HEAD~1'], 'differs from the recording already'],
      [['--good', 'HEAD~2', '--agents', '../agents.mjs'], 'is not in the repository'],
      [['--good', 'HEAD~2', '--agents', 'gone.mjs'], 'cannot be tested: the file of the agents is missing'],
      [['--good', 'HEAD~2', '--db', 'gone.db'], 'the database does not exist'],
    ] as const)
      expect(await bisect(cli, ...flags)).toMatchObject({ code: 2, error: expect.stringContaining(message) })
    expect(await bisect(cli, '--good', 'HEAD~2')).toMatchObject({
      code: 1,
      out: expect.stringContaining('No difference'),
    })
    await using plain = await openCli()
    expect(await bisect(plain, '--good', 'HEAD~2')).toMatchObject({
      code: 2,
      error: expect.stringContaining('is not in a git repository'),
    })
  })
})

describe('parley runs export', () => {
  it(
    'parley runs export writes a cassette without personal data, and says if requests are missing',
    { timeout: 600_000 },
    async () => {
      await using cli = await openRepository([agents('Be brief.')])
      const exported = await cli.run('runs', 'export', 'last', '--db', 'runs.db', '--cassette', 'test/last.jsonl')
      expect(exported).toEqual({ code: 0, out: 'Wrote 2 calls of one model to test/last.jsonl.\n', error: '' })
      const text = execFileSync('cat', ['test/last.jsonl'], { cwd: cli.dir, encoding: 'utf8' })
      expect(text).toContain('masked@example.com')
      expect(text).not.toContain('ann@example.org')
      await cli.run('run', '-m', 'demo', 'What is 2 + 2?')
      const other = await cli.run('runs', 'export', 'last', '--cassette', 'demo.jsonl', '--keep-personal-data')
      expect(other).toMatchObject({ code: 0, error: expect.stringContaining('does not keep the requests') })
      expect(await cli.run('runs', 'export', 'nope', '--cassette', 'x')).toMatchObject({
        code: 2,
        error: expect.stringContaining("There is no run 'nope'"),
      })
      expect(await cli.run('runs', 'export', 'last')).toMatchObject({
        code: 2,
        error: expect.stringContaining("required option '--cassette"),
      })
      expect(
        await cli.run('runs', 'export', 'last', '--cassette', 'x', '--server', 'http://127.0.0.1:1', '--key', 'k'),
      ).toMatchObject({ code: 2, error: expect.stringContaining('--server') })
      expect((await cli.run('runs', '--json')).out.split('\n')).toHaveLength(2)
    },
  )
})

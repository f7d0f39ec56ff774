// Deep: it starts and kills dozens of evals.
import { execFile } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { EvalResult } from '@parley/evals'
import { describe, expect, it } from 'vitest'
import { linkPackages } from '../../__fixtures__/link-packages.ts'
import { openCli, type Cli } from '../../__fixtures__/open-cli.ts'

const git = promisify(execFile)

/** A folder with the packages that evals import. */
async function openProject(files: Readonly<Record<string, string>>): Promise<Cli> {
  const cli = await openCli()
  await linkPackages(cli.dir)
  for (const [name, text] of Object.entries(files)) await writeFile(join(cli.dir, name), text)
  return cli
}

async function commitAll({ dir }: Cli): Promise<string> {
  const options = { cwd: dir }
  await writeFile(join(dir, '.gitignore'), 'node_modules\n')
  await git('git', ['init', '--quiet'], options)
  await git('git', ['add', '--all'], options)
  const identity = ['-c', 'user.email=a@example.com', '-c', 'user.name=A']
  await git('git', [...identity, 'commit', '--quiet', '--message', 'First'], options)
  return (await git('git', ['rev-parse', 'HEAD'], options)).stdout.trim()
}

/** An eval of 8 cases; those in `wrong` fail. */
const double = (wrong: readonly number[] = [], more = ''): string => `
import { appendFileSync, existsSync } from 'node:fs'
import { defineEval, exact } from '@parley/evals'

const wrong: readonly number[] = ${JSON.stringify(wrong)}
export const renamed = defineEval({
  name: 'double',
  data: Array.from({ length: 8 }, (_, index) => ({ id: \`n\${index}\`, input: index, expected: index * 2 })),
  task: async ({ id, input }) => {
    appendFileSync('tasks.log', id + '\\n')
    ${more}
    return wrong.includes(input) ? -1 : input * 2
  },
  scorers: [exact()],
  concurrency: 1,
})
export const notAnEval = 1
`

const resultIn = async ({ dir }: Cli, file: string): Promise<EvalResult> =>
  JSON.parse(await readFile(join(dir, '.parley/evals/double', file), 'utf8')) as EvalResult

// Each test starts several processes.
describe('parley eval', { timeout: 600_000 }, () => {
  it('parley eval runs every *.eval.ts, prints the scores, keeps the result by commit and exits with 0', async () => {
    await using cli = await openProject({ 'a.eval.ts': double() })
    const commit = await commitAll(cli)
    const { code, out, error } = await cli.run('eval')
    expect(error).toBe('')
    expect(out).toMatch(/^double {2}8 cases {2}8 passed {2}\$0\.00 {2}\d+\.\d s\n {2}exact {2}1\.00\n$/)
    expect(code).toBe(0)
    expect(await resultIn(cli, `${commit}.json`)).toMatchObject({ name: 'double', version: { commit }, passed: true })
    await writeFile(join(cli.dir, 'a.eval.ts'), `${double()}// changed\n`)
    expect((await cli.run('eval')).code).toBe(0)
    expect((await readdir(join(cli.dir, '.parley/evals/double'))).toSorted()).toEqual([
      `${commit}-dirty.json`,
      `${commit}.json`,
    ])
  })

  it('parley eval exits with 1 if a case failed, and writes both reports', async () => {
    await using cli = await openProject({ 'a.eval.ts': double([3]) })
    const { code, out } = await cli.run(
      'eval',
      'a.eval.ts',
      '--html',
      'out/r.html',
      '--junit',
      'r.xml',
      '--trials',
      '2',
    )
    expect(code).toBe(1)
    expect(out).toMatch(/8 cases × 2 trials {2}7 passed, 1 failed/)
    expect(out).toMatch(/✗ n3\n {4}exact 0\.00 the expected output is 6 {2}\(2 of 2 trials\)\n {4}run /)
    expect(await readFile(join(cli.dir, 'out/r.html'), 'utf8')).toContain('<!doctype html>')
    expect(await readFile(join(cli.dir, 'r.xml'), 'utf8')).toContain('tests="8" failures="1"')
    expect(await resultIn(cli, 'no-commit.json')).toMatchObject({ trials: 2, passed: false })
    const json = await cli.run('eval', '--json', '--filter', 'n3')
    expect(JSON.parse(json.out)).toMatchObject({ name: 'double', cases: [{ id: 'n3', status: 'failed' }] })
    expect(json.code).toBe(1)
    const filtered = await cli.run('eval', '--filter', 'n4')
    expect(filtered.code).toBe(0)
  })

  it('parley eval compares with the result of a commit: worse exits with 1, noise does not', async () => {
    await using cli = await openProject({ 'a.eval.ts': double() })
    const commit = await commitAll(cli)
    await cli.run('eval')
    await writeFile(
      join(cli.dir, 'a.eval.ts'),
      double([0, 1, 2, 3, 4, 5]).replace('exact()', 'exact({ threshold: 0 })'),
    )
    const worse = await cli.run('eval', '--compare', commit.slice(0, 8))
    expect(worse.out).toMatch(
      /compared with \w{10}:\n {4}exact {2}1\.00 → 0\.25 {2}−0\.75 \[.*\] {2}worse {2}p 0\.031, 8 cases/,
    )
    expect(worse.code).toBe(1)
    await writeFile(join(cli.dir, 'a.eval.ts'), double([1]).replace('exact()', 'exact({ threshold: 0 })'))
    const noise = await cli.run('eval', '--compare', `.parley/evals/double/${commit}.json`)
    expect(noise.out).toContain('noise')
    expect(noise.code).toBe(0)
    const missing = await cli.run('eval', '--compare', 'gone')
    expect(missing).toMatchObject({
      code: 2,
      error: expect.stringContaining("no result of the eval 'double' for 'gone'"),
    })
  })

  it('parley eval continues after a kill: no finished case is repeated, and changed code begins again', async () => {
    const slow = `if (id === 'n5' && !existsSync('go')) await new Promise(() => setInterval(() => {}, 1000))`
    await using cli = await openProject({ 'a.eval.ts': double([], slow) })
    await commitAll(cli)
    const log = async (): Promise<readonly string[]> =>
      (await readFile(join(cli.dir, 'tasks.log'), 'utf8').catch(() => '')).split('\n').filter(line => line !== '')
    const killedAtFive = async (): Promise<void> => {
      await writeFile(join(cli.dir, 'tasks.log'), '')
      const { child, ended } = cli.start('eval')
      await expect.poll(log).toContain('n5')
      child.kill('SIGKILL')
      await ended
    }
    await killedAtFive()
    await writeFile(join(cli.dir, 'go'), '')
    const { code, out } = await cli.run('eval')
    expect(out).toContain('double: continues an eval that was interrupted\n')
    expect(out).toContain('8 passed')
    expect(code).toBe(0)
    expect(await log()).toEqual(['n0', 'n1', 'n2', 'n3', 'n4', 'n5', 'n5', 'n6', 'n7'])
    await git('rm', ['go'], { cwd: cli.dir })
    await killedAtFive()
    await writeFile(join(cli.dir, 'go'), '')
    await writeFile(join(cli.dir, 'a.eval.ts'), double())
    await writeFile(join(cli.dir, 'tasks.log'), '')
    const changed = await cli.run('eval')
    expect(changed.out).not.toContain('continues')
    expect(await log()).toEqual(['n0', 'n1', 'n2', 'n3', 'n4', 'n5', 'n6', 'n7'])
  })

  it.each<[string, Readonly<Record<string, string>>, readonly string[], RegExp]>([
    ['no eval file', {}, [], /^parley: eval: there is no file \*\.eval\.ts/],
    ['a file without an eval', { 'a.eval.ts': 'export const a = 1' }, [], /^parley: .*a\.eval\.ts.*exports no eval/],
    ['a file that does not load', { 'a.eval.ts': 'throw new Error("boom")' }, [], /^parley: .*a\.eval\.ts.*boom/],
    ['a missing file', {}, ['b.eval.ts'], /^parley: .*b\.eval\.ts/],
    ['two evals of one name', { 'a.eval.ts': double(), 'b.eval.ts': double() }, [], /'double' is also in a\.eval\.ts/],
    [
      'an invalid cost',
      { 'a.eval.ts': double() },
      ['--max-cost', 'x'],
      /^parley: --max-cost: must be a number of dollars/,
    ],
  ])('parley eval reports %s in one line and exits with 2', async (...[, files, args, words]) => {
    await using cli = await openProject(files)
    const { code, out, error } = await cli.run('eval', ...args)
    expect(error).toMatch(words)
    expect(error.trimEnd().split('\n')).toHaveLength(1)
    expect(out).toBe('')
    expect(code).toBe(2)
  })

  it.each<[string, Readonly<Record<string, string>>, RegExp]>([
    [
      'a data file that is missing',
      {
        'a.eval.ts': `import { defineEval, exact, readJsonl } from '@parley/evals'
          export const a = defineEval({ name: 'a', data: readJsonl('gone.jsonl'), task: () => 1, scorers: [exact()] })`,
      },
      /^parley: eval a: .*gone\.jsonl.*does not exist/,
    ],
    [
      'an id that occurs twice',
      {
        'c.jsonl': '{"id":"x","input":1}\n{"id":"x","input":2}\n',
        'a.eval.ts': `import { defineEval, exact, readJsonl } from '@parley/evals'
          export const a = defineEval({ name: 'a', data: readJsonl('c.jsonl'), task: () => 1, scorers: [exact()] })`,
      },
      /^parley: eval a: .*c\.jsonl:2.*'x' is also the id of line 1/,
    ],
  ])('parley eval reports %s, runs the other evals and exits with 1', async (...[, files, words]) => {
    await using cli = await openProject({ ...files, 'b.eval.ts': double() })
    const { code, out, error } = await cli.run('eval')
    expect(error).toMatch(words)
    expect(error.trimEnd().split('\n')).toHaveLength(1)
    expect(out).toContain('8 passed')
    expect(code).toBe(1)
  })

  it('parley eval --watch runs again after a change', async () => {
    await using cli = await openProject({ 'a.eval.ts': double([3]) })
    const { child, ended } = cli.start('eval', '--watch')
    let out = ''
    child.stdout?.on('data', (text: Buffer) => (out += text.toString()))
    await expect.poll(() => out).toContain('exit code 1; waits for changes')
    await writeFile(join(cli.dir, 'a.eval.ts'), double())
    await expect.poll(() => out).toContain('exit code 0; waits for changes')
    child.kill('SIGINT')
    expect((await ended).code).toBe(130)
  })
})

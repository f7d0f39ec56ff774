import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { BacktestReport } from '@parley/evals/backtest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openCli, type Cli } from '../../__fixtures__/open-cli.ts'

/** An agent of the same name that calculates something else. */
const OTHER = `
const answer = async function* ({ messages }) {
  if (messages.some(({ role }) => role === 'tool')) yield { type: 'text.delta', text: 'Something else.' }
  else yield { type: 'tool-call', callId: 'c1', name: 'calculator', arguments: '{"expression":"1 + 1"}' }
  yield { type: 'finish', reason: messages.some(({ role }) => role === 'tool') ? 'stop' : 'tool-calls' }
}
const calculator = {
  name: 'calculator', description: 'Calculates.', input: { type: 'object' }, effect: 'once',
  execute() { throw new Error('a backtest executes no tool') },
}
export const assistant = { name: 'assistant', model: { provider: 'x', id: 'y', info: {}, stream: answer }, tools: [calculator] }
export const other = { ...assistant, name: 'other' }
`

let cli: Cli

beforeAll(async () => {
  cli = await openCli()
  for (const question of ['What is 12 * 34?', 'What is 2 + 3?']) await cli.run('run', '-q', question)
  await writeFile(join(cli.dir, 'other.mjs'), OTHER)
  await writeFile(join(cli.dir, 'brief.md'), 'Be brief.')
}, 60_000)
afterAll(() => cli[Symbol.asyncDispose]())

describe('parley backtest', () => {
  it('parley backtest repeats runs with the agent that the command line composed for them', async () => {
    const { code, out, error } = await cli.run('backtest', '--since', '1h', '--instructions', 'brief.md', '--json')
    expect(error).toBe('')
    const { counts, skipped, runs } = JSON.parse(out) as BacktestReport
    expect({ code, counts, skipped }).toEqual({
      code: 0,
      counts: { same: 2, better: 0, worse: 0, different: 0, diverged: 0 },
      skipped: [],
    })
    expect(runs.map(({ after }) => after.text)).toEqual([expect.stringContaining('5'), expect.stringContaining('408')])
  })

  it('parley backtest prints where runs diverge, and writes a page', async () => {
    const { code, out } = await cli.run(
      'backtest',
      '--agents',
      'other.mjs',
      '--agent',
      'assistant',
      '--html',
      'report.html',
    )
    expect(code).toBe(0)
    expect(out).toMatch(/^2 runs: 0 same · 0 better · 0 worse · 0 different · 2 diverged\n/)
    expect(out).toContain(
      'The recorded run called calculator, but not with this input: calculator({"expression":"1 + 1"}).',
    )
    expect(await readFile(join(cli.dir, 'report.html'), 'utf8')).toContain('<td>diverged</td><td>What is 12 * 34?</td>')
  })

  it('parley backtest leaves the database as it is', async () => {
    const before = (await cli.run('runs', '--json')).out
    await cli.run('backtest', '--model', 'demo')
    expect((await cli.run('runs', '--json')).out).toBe(before)
  })

  it.each([
    [['--model', 'demo', '--agent', 'ghost'], "selects no run: the store has none of the agent 'ghost'"],
    [['--agents', 'other.mjs', '--agent', 'othr'], 'Did you mean other?'],
    [['--model', 'acme/one'], 'acme/one'],
    [
      ['--model', 'demo', '--since', 'yesterday'],
      "--since: must be a number and a unit, such as 90m, 12h, 30d or 4w, not 'yesterday'",
    ],
    [['--instructions', 'nothing.md'], 'nothing.md'],
    [[], 'name what changes: --model, --instructions, --config or --agents'],
  ])('parley backtest answers %j in one line', async (words, sentence) => {
    const { code, error } = await cli.run('backtest', ...words)
    expect(error).toContain(sentence)
    expect(error.trim().split('\n')).toHaveLength(1)
    expect(code).toBe(2)
  })

  it('parley backtest names a run with a damaged journal, repeats the others and exits with 1', async () => {
    const database = new DatabaseSync(join(cli.dir, '.parley/parley.db'))
    const { run_id: runId } = database.prepare('SELECT run_id FROM appends ORDER BY run_id LIMIT 1').get() as {
      run_id: string
    }
    database.prepare("UPDATE appends SET entries = '[broken' WHERE run_id = ?").run(runId)
    database.close()
    const { code, out } = await cli.run('backtest', '--model', 'demo')
    expect(out).toMatch(/^1 runs: 1 same .* 1 skipped\n/)
    expect(out).toContain(`skipped ${runId}: `)
    expect(code).toBe(1)
  })
})

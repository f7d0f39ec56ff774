import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openStore } from '../../store/open-store.ts'
import { openCli } from '../../__fixtures__/open-cli.ts'
import { BENCH_SCOPE, measureStore } from './measure-store.ts'

it('parley bench prints four figures of the database and leaves no run behind', { timeout: 60_000 }, async () => {
  await using cli = await openCli()
  const { code, out, error } = await cli.run('bench', '--seconds', '1', '--concurrent', '4')
  expect({ code, error }).toEqual({ code: 0, error: '' })
  const figures = out
    .split('\n')
    .slice(0, -1)
    .map(line => Number(/ (\d+(?:\.\d+)?)(?: ms)?$/.exec(line)?.[1]))
  expect(figures).toHaveLength(4)
  for (const figure of figures) expect(figure).toBeGreaterThan(0)
  await using store = await openStore(join(cli.dir, '.parley/parley.db'))
  expect(await store.runs({ scope: BENCH_SCOPE })).toEqual([])
})

it('parley bench rejects a length that is not a positive integer', async () => {
  await using cli = await openCli()
  expect(await cli.run('bench', '--seconds', '0')).toMatchObject({
    code: 2,
    error: expect.stringContaining('--seconds'),
  })
})

it('measureStore counts what the store has written, and keeps the runs of other scopes', async () => {
  await using store = await openStore(':memory:')
  let appends = 0
  const counting = {
    ...store,
    append: async (...args: Parameters<typeof store.append>) => (appends++, store.append(...args)),
  }
  const { turnsPerSecond, appendP50Ms, appendP99Ms } = await measureStore(counting, { ms: 100, concurrent: 2 })
  // A run of ten turns appends at least once a turn.
  expect(appends).toBeGreaterThan((turnsPerSecond * 0.1) / 2)
  expect(appendP99Ms).toBeGreaterThanOrEqual(appendP50Ms)
  expect(await store.runs({ scope: BENCH_SCOPE })).toEqual([])
})

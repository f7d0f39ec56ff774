import { fork } from 'node:child_process'
import { once } from 'node:events'
import { openPostgresServer, openSchema } from './postgres/open-server.mjs'

const TURNS = 10

/** Durable turns on one PostgreSQL: each worker process drives 16 runs of ten turns at the same time. */
export const postgres = {
  name: 'W9',
  title: 'Durable turns on PostgreSQL',
  limit:
    'the rows of the same runs written by raw `pg`, one prepared statement for each append, the same number of runs at a time',
  axis: 'worker processes',
  scales: { full: { points: [1, 2, 4, 8], seconds: 3 }, small: { points: [1, 2], seconds: 3 } },
  open: openPostgresServer,
  sides: { parley: measure('parley'), limit: measure('raw') },
  curves: [{ metric: 'turnsPerSecond', label: 'durable turns per second' }],
  lines: [
    {
      name: 'turns per second ÷ raw pg, 4 workers (small scale: 2)',
      value: read =>
        read('parley', 'turnsPerSecond', workersOf(read)) / read('limit', 'turnsPerSecond', workersOf(read)),
      atLeast: 0.5,
    },
    {
      name: 'gain of 4 workers ÷ gain of the raw loop (small scale: 2)',
      value: read => gain(read, 'parley') / gain(read, 'limit'),
      atLeast: 0.9,
    },
  ],
}

const gain = (read, side) => read(side, 'turnsPerSecond', workersOf(read)) / read(side, 'turnsPerSecond', 1)
const workersOf = read => (Number.isNaN(read('parley', 'turnsPerSecond', 4)) ? 2 : 4)

function measure(kind) {
  return async ({ point: workers, scale: { seconds }, shared: url }) => {
    await using place = await openSchema(url)
    const file = `${import.meta.dirname}/postgres/${kind}-worker.mjs`
    const job = { url, schema: place.schema, turns: TURNS, concurrent: 16, seconds }
    const children = []
    // One after the other, because the first creates the tables.
    for (let index = 0; index < workers; index++) {
      const child = fork(file, [JSON.stringify({ ...job, index })], { execArgv: process.execArgv })
      await once(child, 'message')
      children.push(child)
    }
    const commitsBefore = await commits(place.client)
    for (const child of children) child.send('go')
    const results = await Promise.all(children.map(child => once(child, 'message')))
    const made = (await commits(place.client)) - commitsBefore
    for (const child of children) child.kill()
    const sum = metric => results.reduce((total, [result]) => total + result[metric], 0)
    const turns = sum('turns')
    return {
      turnsPerSecond: sum('turnsPerSecond'),
      appendP50Ms: sum('appendP50Ms') / workers,
      appendP99Ms: sum('appendP99Ms') / workers,
      clientCpuUsPerTurn: sum('cpuUs') / turns,
      commitsPerTurn: made / turns,
    }
  }
}

async function commits(client) {
  const { rows } = await client.query(
    'select pg_stat_clear_snapshot(), xact_commit from pg_stat_database where datname = current_database()',
  )
  return Number(rows[0].xact_commit)
}

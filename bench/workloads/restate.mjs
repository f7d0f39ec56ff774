import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { connect } from '@restatedev/restate-sdk-clients'
import { createRestateClient } from '@parley/restate'
import { openSqliteStore } from '@parley/sqlite'
import { installPrograms } from '../../tooling/runtimes/src/install-programs.ts'
import { freePort } from '../../tooling/test-run/src/free-port.ts'
import { startRestate } from '../../tooling/crash-matrix/src/__fixtures__/start-restate.ts'
import { loadFor, median } from './workload.mjs'

/** Turns of a short and of a long run. Each turn is two operations: a model call and a tool call. The last turn calls no tool, but ends the run. */
const [SHORT, LONG] = [2, 22]
const OPERATIONS_PER_TURN = 2

/** Runs that Restate schedules, with their journals in one SQLite file. */
export const restate = {
  name: 'W14',
  title: 'Steps on Restate',
  limit: 'a bare Restate workflow with as many empty `ctx.run` as the run has operations',
  axis: 'worker processes',
  scales: { full: { points: [1, 2, 4], seconds: 5 }, small: { points: [1], seconds: 3 } },
  open,
  sides: { parley: measure('parley'), limit: measure('bare') },
  curves: [{ metric: 'runsPerSecond', label: 'runs of ten turns per second' }],
  lines: [
    {
      name: 'time of a step ÷ bare ctx.run, one run at a time, 1 worker',
      value: read => read('parley', 'stepMs', 1) / read('limit', 'stepMs', 1),
      atMost: 1.3,
    },
    {
      name: 'runs per second ÷ limit, 1 worker',
      value: read => read('parley', 'runsPerSecond', 1) / read('limit', 'runsPerSecond', 1),
    },
  ],
}

async function open() {
  await installPrograms()
  const server = await startRestate()
  const { ingress, admin } = server
  return { value: { ingress, admin }, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

function measure(kind) {
  return async ({ point: workers, scale: { seconds }, shared: { ingress, admin } }) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'parley-bench-'))
    const file = path.join(folder, 'runs.db')
    const port = await freePort()
    await using store = await openSqliteStore({ path: file })
    const children = []
    for (let index = 0; index < workers; index++) {
      const job = JSON.stringify({ kind, file, port })
      const child = fork(`${import.meta.dirname}/restate/worker.mjs`, [job], { execArgv: process.execArgv })
      await once(child, 'message')
      children.push(child)
    }
    await register(admin, `http://127.0.0.1:${port}`)
    const drive = kind === 'parley' ? parleyRuns(ingress, store) : bareRuns(ingress)
    // V8 optimises the code of an operation after some thousand of them.
    await loadFor(4, 8, () => drive(LONG))
    const times = { [SHORT]: [], [LONG]: [] }
    // One run at a time, short and long in turns. The difference is what the operations take, without the start and the end of the run.
    for (const until = performance.now() + seconds * 2_000; performance.now() < until;) {
      for (const turns of [SHORT, LONG]) times[turns].push(...(await loadFor(0.001, 1, () => drive(turns))).times)
    }
    const loaded = await loadFor(seconds, 16, () => drive(SHORT + 8))
    for (const child of children) child.kill()
    rmSync(folder, { recursive: true, force: true })
    const [short, long] = [median(times[SHORT]), median(times[LONG])]
    return {
      stepMs: (long - short) / ((LONG - SHORT) * OPERATIONS_PER_TURN),
      shortRunMs: short,
      runsPerSecond: loaded.perSecond,
      loadedP99Ms: loaded.p99,
    }
  }
}

function parleyRuns(ingress, store) {
  const client = createRestateClient({ ingress, store })
  return async turns => {
    const run = await client.start(`turns-${turns}`, 'go')
    const { status } = await run.result()
    if (status !== 'completed') throw new Error(`a run ended as ${status}`)
  }
}

function bareRuns(ingress) {
  const client = connect({ url: ingress })
  let runs = 0
  return turns =>
    client.workflowClient({ name: 'bench-bare' }, `r${process.pid}-${++runs}`).run(turns * OPERATIONS_PER_TURN)
}

async function register(admin, uri) {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${admin}/deployments`, { method: 'POST', headers, body: JSON.stringify({ uri }) })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
}

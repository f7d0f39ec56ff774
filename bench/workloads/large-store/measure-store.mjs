import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createRuntime } from '@parley/engine'
import { hashApiKey, openServer } from '@parley/server'
import { median, quantile } from '../workload.mjs'
import { seedRuns, vacuumSchema } from './open-databases.mjs'
import { openStore } from './open-store.mjs'
import { AGENTS, EVERY_MS, SCOPE, SINCE, runId, sessionId, wordOf } from './seed-rows.mjs'
import { createRunWriter } from './write-runs.mjs'

const KEY = 'a-key-of-the-benchmark'
/** Lists of each filter. */
const SAMPLES = 25

/**
 * Measures each operation of one store. It leaves the store as it was, except for a few runs. Appends and claims take turns with those of the
 * store with one run, because a commit takes as long as the disk needs at that moment.
 */
export async function measureStore(side, { point: runs, scale, shared: databases }) {
  await using store = await openStore(side, databases, runs)
  const [one] = scale.points
  if (side === 'postgres') await vacuumSchema(databases, one)
  await using empty = runs === one ? undefined : await openStore(side, databases, one)
  const stores = empty === undefined ? [store] : [store, empty]
  const appends = await measureAppends(stores, databases, scale)
  const claims = await measureClaims(stores, { databases, runs, scale })
  const lists = await timesOf(queries(runs), query => store.runs({ scope: SCOPE, limit: 50, ...query }))
  const overHttp = await measureHttp(store, runs)
  const resumed = await measureResume(store)
  const pruned = await measurePrune(store, { side, databases, runs, scale })
  return {
    appendUs: mean(appends[0]) * 1_000,
    appendP50Us: quantile(appends[0], 0.5) * 1_000,
    claimUs: mean(claims[0]) * 1_000,
    claimP50Us: quantile(claims[0], 0.5) * 1_000,
    ...(empty === undefined
      ? {}
      : {
          appendToEmpty: growth(appends, mean),
          claimToEmpty: growth(claims, mean),
          claimP50ToEmpty: growth(claims, median),
        }),
    listP50Ms: quantile(lists, 0.5),
    listP99Ms: quantile(lists, 0.99),
    httpP50Ms: quantile(overHttp, 0.5),
    httpP99Ms: quantile(overHttp, 0.99),
    ...resumed,
    ...pruned,
  }
}

const growth = ([large, empty], of) => of(large) / of(empty)

/** @returns The times of the appends of each store. */
async function measureAppends(stores, databases, { written: count }) {
  const writers = stores.map(store => createRunWriter(store, databases, { scope: SCOPE }))
  const ids = []
  const times = stores.map(() => [])
  for (let index = -count / 10; index < count; index++) {
    const id = randomUUID()
    ids.push(id)
    for (const [at, write] of writers.entries()) {
      const own = await write({ runId: id })
      // The first ones compile the statements.
      if (index >= 0) times[at].push(...own)
    }
  }
  for (const store of stores)
    for (const runId of ids) await store.prune({ scope: SCOPE, before: Number.MAX_SAFE_INTEGER, runId })
  return times
}

/** Claims runs whose worker has died: those of a large store are spread over it. As a worker does, it lists them before. */
async function measureClaims(stores, { databases, runs, scale: { written, claimed } }) {
  const last = stores.at(-1)
  const write = createRunWriter(last, databases, { scope: SCOPE })
  const unfinished = []
  for (let index = 0; index < written; index++) {
    const id = randomUUID()
    await write({ runId: id, ends: false })
    unfinished.push(id)
  }
  for (const store of stores) await store.runs({ scope: SCOPE, status: 'running', limit: Number.MAX_SAFE_INTEGER })
  const oldRun = index => runId(((index * 7_919) % (runs / 1_000)) * 1_000 + 1)
  const times = stores.map(() => [])
  for (let index = -claimed / 10; index < claimed; index++) {
    for (const [at, store] of stores.entries()) {
      const id = store === last ? unfinished.at(index % written) : oldRun(index + claimed)
      const from = performance.now()
      await store.claim({ runId: id, worker: 'bench', at: Date.now(), force: true })
      if (index >= 0) times[at].push(performance.now() - from)
    }
  }
  for (const each of unfinished) await endRun(last, each)
  return times
}

async function endRun(store, id) {
  const { fence } = await store.claim({ runId: id, worker: 'bench', at: Date.now(), force: true })
  const { seq } = await store.run(id)
  const outcome = { status: 'cancelled', reason: { kind: 'user' } }
  const usage = { input: 0, output: 0, reasoning: 0, cacheRead: 0, cacheWrite: 0 }
  const entry = { v: 1, seq: seq + 1, at: 0, type: 'run.ended', outcome, usage }
  await store.append({ runId: id, worker: 'bench', fence, expectedSeq: seq, entries: [entry] })
  await store.prune({ scope: SCOPE, before: 1, runId: id })
}

/** The lists that an operator asks for, on any part of the store. */
function queries(runs) {
  let state = 1
  const random = below => (state = (state * 48_271) % 2_147_483_647) % Math.max(1, below)
  const filters = [
    () => ({}),
    () => ({ status: 'failed' }),
    () => ({ status: 'running' }),
    // Most agents have no such runs.
    () => ({ status: 'failed', agent: `agent-${random(AGENTS)}` }),
    () => ({ agent: `agent-${random(AGENTS)}` }),
    () => ({ sessionId: sessionId(random(runs)) }),
    () => ({ text: wordOf(random(runs), 1) }),
    () => ({ text: `${wordOf(random(runs), 0)} ${wordOf(random(runs), 2)}` }),
    () => ({ since: SINCE + random(runs) * EVERY_MS, status: 'completed' }),
    () => ({ roots: true, agent: `agent-${random(AGENTS)}`, until: SINCE + random(runs) * EVERY_MS }),
  ]
  return Array.from({ length: SAMPLES }, () => filters.map(draw => draw())).flat()
}

async function measureHttp(store, runs) {
  const keys = [{ name: 'bench', hash: hashApiKey(KEY), scope: SCOPE, access: 'viewer' }]
  // Without agents, the server resumes no runs.
  await using server = await openServer({
    runtime: createRuntime({ store: withoutClose(store) }),
    agents: [],
    keys,
    port: 0,
    access: 'viewer',
  })
  return await timesOf(queries(runs), async query => {
    const { sessionId: session, ...others } = query
    const wanted = { limit: 50, ...others, ...(session === undefined ? {} : { session }) }
    const response = await fetch(`${server.url}/runs?${new URLSearchParams(wanted)}`, {
      headers: { authorization: `Bearer ${KEY}` },
    })
    if (!response.ok) throw new Error(`GET /runs: ${response.status} ${await response.text()}`)
    await response.json()
  })
}

const withoutClose = store => ({ ...store, [Symbol.asyncDispose]: async () => {} })

/** What a worker that starts asks: the runs to resume, and the last entry of each run that waits. */
async function measureResume(store) {
  const from = performance.now()
  const limit = Number.MAX_SAFE_INTEGER
  const running = await store.runs({ scope: SCOPE, status: 'running', limit })
  const suspended = await store.runs({ scope: SCOPE, status: 'suspended', limit })
  for (const { runId: id, seq } of suspended) await store.read(id, { afterSeq: seq - 1 })
  return { resumeMs: performance.now() - from, unfinished: running.length + suspended.length }
}

/** Removes the oldest runs, while another process appends. */
async function measurePrune(store, { side, databases, runs, scale: { pruned } }) {
  if (runs < pruned) await seedRuns(side, databases, { runs, count: pruned })
  const child = fork(`${import.meta.dirname}/writer.mjs`, [JSON.stringify({ side, databases, runs })], {
    execArgv: process.execArgv,
  })
  await once(child, 'message')
  const from = performance.now()
  const removed = await store.prune({ scope: SCOPE, before: SINCE + pruned * EVERY_MS })
  const took = performance.now() - from
  const result = once(child, 'message')
  child.send('stop')
  const [{ p99, max }] = await result
  if (runs >= pruned) await seedRuns(side, databases, { runs, count: pruned })
  return {
    prunedPerSecond: (removed / took) * 1_000,
    pruneMs: took,
    appendP99WhilePruningMs: p99,
    appendMaxWhilePruningMs: max,
  }
}

async function timesOf(items, call) {
  const times = []
  for (const [index, item] of items.entries()) {
    const from = performance.now()
    await call(item)
    // The first ones compile the statements.
    if (index >= items.length / 10) times.push(performance.now() - from)
  }
  return times
}

const mean = values => values.reduce((sum, value) => sum + value, 0) / values.length

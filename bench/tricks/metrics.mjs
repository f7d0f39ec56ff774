// What a trick can be measured by. Live heap varies by less than 0.1 %; a time needs many processes.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { getHeapSpaceStatistics } from 'node:v8'
import {
  answerInMemory,
  answerPieces,
  COUNTING,
  createAnswerReader,
  createLoop,
  createMap,
  load,
} from './workloads.mjs'

const TURNS = 10
const CHUNKS = 4_000
const WAITING = 2_000
const COLLECTED_RUNS = 1_000
const OUTPUT = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] }
const LISTENER = { name: 'listener', begin: () => ({ event: () => {} }) }

/** CPU time of one call of `work` in µs: the lower quartile of many rounds, after a warm-up. */
async function cpuOf(work, { warmMs = 700, ms = 1_200, roundMs = 15 } = {}) {
  for (const until = performance.now() + warmMs; performance.now() < until;) await work()
  globalThis.gc()
  const rounds = []
  for (const until = performance.now() + ms; performance.now() < until;) {
    const from = process.cpuUsage()
    let count = 0
    for (const end = performance.now() + roundMs; performance.now() < end; count++) await work()
    const { user, system } = process.cpuUsage(from)
    rounds.push((user + system) / count)
  }
  return rounds.toSorted((a, b) => a - b)[rounds.length >> 2]
}

/** CPU time of the first id of a process, in µs. */
async function firstIdCpu() {
  const { createId } = await load('core', 'create-id')
  const from = process.cpuUsage()
  createId(Date.now())
  const { user, system } = process.cpuUsage(from)
  return user + system
}

/** CPU time of a turn in the first runs after a garbage collection that found no run at work. */
async function collectedCpu() {
  const start = await createLoop({ turns: TURNS })
  for (const until = performance.now() + 2_000; performance.now() < until;) await start()
  globalThis.gc()
  const from = process.cpuUsage()
  for (let run = 0; run < COLLECTED_RUNS; run++) await start()
  const { user, system } = process.cpuUsage(from)
  return (user + system) / COLLECTED_RUNS / TURNS
}

/** Live bytes for each of many runs that wait inside their last model call. */
async function waitingBytes(options) {
  let held = 0
  let gate
  const start = await createLoop({ ...options, turns: 3, gate: () => gate?.() })
  for (let round = 0; round < 20; round++) await start()
  const { promise, resolve } = Promise.withResolvers()
  const full = Promise.withResolvers()
  gate = () => {
    if (++held === WAITING) full.resolve()
    return promise
  }
  await collect()
  const before = process.memoryUsage().heapUsed
  const runs = Array.from({ length: WAITING }, start)
  await full.promise
  await collect()
  const bytes = (process.memoryUsage().heapUsed - before) / WAITING
  resolve()
  await Promise.all(runs)
  return bytes
}

/** Bytes in the old generation for each value that was removed from a map which always holds 64 of them. */
async function removedBytes() {
  const { TurnoverMap } = await load('core', 'turnover-map')
  const map = new TurnoverMap()
  const [held, round, rounds] = [64, 200, 40]
  let added = 0
  const turnOver = () => {
    for (const until = added + round; added < until; added++) {
      map.set(added, { numbers: Array.from({ length: 100 }, (_, index) => index + added + 0.5) })
      map.delete(added - held)
    }
    globalThis.gc({ type: 'minor' })
  }
  for (let turn = 0; turn < 3; turn++) turnOver()
  // Moves a table to the old generation.
  globalThis.gc()
  turnOver()
  const before = oldBytes()
  for (let turn = 0; turn < rounds; turn++) turnOver()
  return (oldBytes() - before) / round / rounds
}

function oldBytes() {
  const old = getHeapSpaceStatistics().filter(({ space_name: name }) => name === 'old_space')
  return old.reduce((sum, { space_used_size: used }) => sum + used, 0)
}

async function collect() {
  for (let round = 0; round < 3; round++) {
    globalThis.gc()
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

/** CPU time of a call that `fetch` sends to a server in another process. */
async function requestCpu(createFetch, messages) {
  const child = fork(path.join(import.meta.dirname, 'server.mjs'), { execArgv: [] })
  const [url] = await once(child, 'message')
  const { createPlatformFetch } = await load('providers/kit')
  const read = await createAnswerReader(createFetch(createPlatformFetch), { baseUrl: url, messages })
  const us = await cpuOf(read)
  child.kill()
  return us
}

/** CPU time for each of many items that a reader takes after all of them were pushed. */
async function backlogCpu(items) {
  const { createChannel } = await load('core')
  const us = await cpuOf(async () => {
    const channel = createChannel()
    for (let item = 0; item < items; item++) channel.push(item)
    const reader = channel[Symbol.asyncIterator]()
    for (let item = 0; item < items; item++) await reader.next()
  })
  return us / items
}

async function loopCpu(options, count) {
  return (await cpuOf(await createLoop(options))) / count
}

/** CPU time of each of several short runs in SQLite that run at the same time. */
async function togetherCpu(runs) {
  const start = await createLoop({ turns: 2, durable: true })
  return (await cpuOf(() => Promise.all(Array.from({ length: runs }, start)), { roundMs: 60 })) / runs
}

async function branchCpu(items) {
  return (await cpuOf(await createMap(items), { roundMs: 60 })) / items
}

async function answerCpu({ chunks }, count) {
  return (await cpuOf(await createAnswerReader(answerInMemory({ chunks, batch: 4 })))) / count
}

async function dispatchCpu() {
  const { createDispatchFetch } = await load('providers/kit', 'transport/create-dispatch-fetch')
  const pieces = answerPieces({ chunks: 4, batch: 4 })
  const dispatch = (_request, handler) => {
    handler.onHeaders(200, [], () => {})
    for (const piece of pieces) handler.onData(piece)
    handler.onComplete()
  }
  return cpuOf(await createAnswerReader(createDispatchFetch(() => ({ dispatch }))))
}

const time = (unit, measure) => ({ unit, isTime: true, measure })
const bytes = (unit, measure) => ({ unit, isTime: false, measure })

/** Every measure resolves to a number that is better if it is smaller. */
export const METRICS = {
  // Live heap of a run that waits for its model, as W4. With and without a middleware that receives events.
  'waiting-bytes': bytes('bytes/waiting run', () => waitingBytes({})),
  'listened-bytes': bytes('bytes/waiting run', () => waitingBytes({ middleware: LISTENER })),
  // A value that was removed from a map whose values come and go.
  'removed-bytes': bytes('bytes/value', removedBytes),
  // What the first id adds to the start of a process, as W5.
  'first-id-cpu': time('µs', firstIdCpu),
  // A run of one turn; the same after a history of 1,000 messages.
  'run-cpu': time('µs/run', () => loopCpu({ turns: 1 }, 1)),
  'history-cpu': time('µs/run', () => loopCpu({ turns: 1, history: 1_000 }, 1)),
  // A turn of an in-memory loop of 10 turns, as W1; the same after a history of 1,000 messages.
  'turn-cpu': time('µs/turn', () => loopCpu({ turns: TURNS }, TURNS)),
  'long-turn-cpu': time('µs/turn', () => loopCpu({ turns: TURNS, history: 1_000 }, TURNS)),
  // The same in the first runs after a full garbage collection.
  'collected-cpu': time('µs/turn', collectedCpu),
  // A run whose history does not fit the context window; a run whose context policy counts every group.
  'compact-cpu': time('µs/run', () => loopCpu({ turns: 4, history: 1_000, window: 20_000 }, 1)),
  'counting-cpu': time('µs/run', () => loopCpu({ turns: 4, history: 200, context: COUNTING }, 1)),
  // One text delta of a model that no reader watches, from the model to the transcript, as W3; the same for an agent
  // with an output schema.
  'unread-chunk-cpu': time('µs/chunk', () => loopCpu({ turns: 1, chunks: CHUNKS, read: false }, CHUNKS)),
  'unread-output-cpu': time('µs/chunk', () =>
    loopCpu({ turns: 1, chunks: CHUNKS, read: false, output: OUTPUT }, CHUNKS),
  ),
  // A branch of one tool step in the map of a workflow, as W12.
  'branch-cpu': time('µs/branch', () => branchCpu(512)),
  // One item of a channel whose reader begins late.
  'backlog-cpu': time('µs/item', () => backlogCpu(100_000)),
  // One text delta of a provider, from the bytes of the body to the model event; one small answer after 40 messages.
  'body-chunk-cpu': time('µs/chunk', () => answerCpu({ chunks: CHUNKS }, CHUNKS)),
  'answer-cpu': time('µs/answer', () => answerCpu({ chunks: 4 }, 1)),
  // One small answer from a dispatcher in memory.
  'dispatch-cpu': time('µs/request', dispatchCpu),
  // One small answer from a server on this machine, as W2; the same by the fetch of Node.js after
  // 1,000 messages.
  'request-cpu': time('µs/request', () => requestCpu(createPlatformFetch => createPlatformFetch())),
  'fetch-request-cpu': time('µs/request', () => requestCpu(() => (url, init) => globalThis.fetch(url, init), 1_000)),
  // A turn of a run that is stored in SQLite, as W6.
  'durable-cpu': time('µs/turn', () => loopCpu({ turns: TURNS, durable: true }, TURNS)),
  // A short run in SQLite beside 31 others, as W8 without HTTP.
  'together-cpu': time('µs/run', () => togetherCpu(32)),
}

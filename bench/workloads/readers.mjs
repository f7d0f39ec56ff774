import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { quantile } from './workload.mjs'

/** Readers of one run. Every tenth takes nothing of its response until the run has ended. */
const READERS = 100
/** Two, so that a client's open files and its CPU time do not limit the server. */
const CLIENTS = 2
const PIECES = 10

/** Many readers of live runs: each receives the whole stream, however slowly it reads. */
export const readers = {
  name: 'W13',
  title: 'Many SSE readers on one process',
  limit: 'bare hono that streams pieces of the same size to as many readers, without runs',
  axis: 'open streams',
  scales: { full: { points: [500, 2_000, 5_000] }, small: { points: [500] } },
  sides: { parley: measure('parley'), limit: measure('bare') },
  curves: [
    { metric: 'kbPerStream', label: 'RSS for each open stream, kB' },
    { metric: 'delayP99Ms', label: 'delay of a piece, p99 in ms' },
  ],
  lines: [
    {
      name: 'streams that ended early or with a gap',
      value: read => read('parley', 'dropped'),
      atMost: 0,
      compared: false,
    },
    // With few streams, the free space of the heap hides what a stream takes.
    { name: 'kB of RSS for each stream', value: read => read('parley', 'kbPerStream'), atMost: 40, compared: false },
  ],
}

function measure(target) {
  return async ({ point: streams }) => {
    const runs = streams / READERS
    const server = await start('readers/server', { target, runs, pieces: PIECES })
    const { urls } = server.first
    const before = await ask(server.child, 'memory')
    const clients = []
    for (let index = 0; index < CLIENTS; index++) {
      const own = Array.from({ length: streams / CLIENTS }, (_, reader) => urls[reader % urls.length])
      clients.push(await start('readers/client', { urls: own, target, pieces: PIECES }))
    }
    // The clients have received the first bytes of every response.
    const open = await ask(server.child, 'memory')
    const results = clients.map(({ child }) => once(child, 'message'))
    server.child.send('go')
    const [[first], [second]] = await Promise.all(results)
    await sleep(100)
    const after = await ask(server.child, 'memory')
    for (const { child } of [server, ...clients]) child.kill()
    const delays = [...first.delays, ...second.delays]
    return {
      kbPerStream: (open.rss - before.rss) / streams / 1_000,
      heapKbPerStream: (open.heap - before.heap) / streams / 1_000,
      dropped: first.dropped + second.dropped,
      delayP50Ms: quantile(delays, 0.5),
      delayP99Ms: quantile(delays, 0.99),
      peakKbPerStream: (after.peak - before.rss) / streams / 1_000,
    }
  }
}

async function start(file, job) {
  const child = fork(`${import.meta.dirname}/${file}.mjs`, [JSON.stringify(job)], { execArgv: process.execArgv })
  child.once('exit', code => code && process.exit(code))
  const [first] = await once(child, 'message')
  return { child, first }
}

async function ask(child, question) {
  child.send(question)
  return (await once(child, 'message'))[0]
}

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { loadAtRate, loadFor } from './workload.mjs'
import { post } from './server/http-client.mjs'

/** Share of its own capacity at which each side is asked for p99. */
const LOAD = 0.7
const BODY = JSON.stringify({ input: [{ role: 'user', content: [{ type: 'text', text: 'What is the sum?' }] }] })

/**
 * Durable runs over HTTP: two turns with a tool call, read as SSE to the end. Both sides write to SQLite with a write-ahead log and
 * `synchronous = normal`, and send each response in one or two writes. The limit commits twice a run, once a turn. Parley commits four
 * times, because a run is durable before its model is called, a call before its tool starts, and the tool's result before the next
 * model call.
 */
export const server = {
  name: 'W8',
  title: 'Durable runs over HTTP with SSE',
  limit:
    'bare hono that streams the same bytes and inserts one row of 2 KB into SQLite a turn (two commits a run; Parley makes four)',
  axis: 'concurrent clients',
  scales: { full: { points: [1, 16, 64], seconds: 5 }, small: { points: [32], seconds: 2 } },
  sides: { parley: measure('parley'), limit: measure('bare') },
  curves: [{ metric: 'runsPerSecond', label: 'runs per second' }],
  lines: [
    {
      name: 'runs per second ÷ limit',
      value: read => read('parley', 'runsPerSecond') / read('limit', 'runsPerSecond'),
      atLeast: 0.5,
    },
    {
      name: 'p99 at 70 % load ÷ limit',
      value: read => read('parley', 'p99AtLoadMs') / read('limit', 'p99AtLoadMs'),
      atMost: 3,
      compared: false,
    },
  ],
}

function measure(target) {
  return async ({ point: clients, scale: { seconds } }) => {
    // The plain server streams what Parley answers to the same request.
    const parley = await open('parley', '')
    const { text } = await post(parley.url, BODY)
    if (!text.includes('"status":"completed"')) throw new Error(`the run did not complete: ${text.slice(-400)}`)
    if (target !== 'parley') parley.child.kill()
    const { url, child } = target === 'parley' ? parley : await open('bare', text)
    const ask = async () => {
      const answer = await post(url, BODY)
      if (answer.text.length < text.length * 0.9) throw new Error(`an answer was cut: ${answer.text.slice(-200)}`)
    }
    await loadFor(2, clients, ask)
    const { perSecond, p50, p99 } = await loadFor(seconds, clients, ask)
    const loaded = await loadAtRate(seconds, perSecond * LOAD, ask)
    child.kill()
    return { runsPerSecond: perSecond, p50Ms: p50, p99Ms: p99, p99AtLoadMs: loaded.p99 }
  }
}

async function open(target, text) {
  const file = `${import.meta.dirname}/server/${target}-server.mjs`
  const child = fork(file, [], { execArgv: process.execArgv })
  child.send(text)
  const [url] = await once(child, 'message')
  return { url, child }
}

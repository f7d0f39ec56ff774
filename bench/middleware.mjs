// Measures what idle middleware costs a run, for each turn and each text delta.
//   node --conditions=@parley/source bench/middleware.mjs [--only NAME] [--rounds 600] [--turns 100] [--deltas 4000]
//
// Each middleware is measured in its own process, because V8 can deoptimize code that several middlewares share. A round
// is two short runs, one without the middleware and one with it, in alternating order. Other load on the machine affects
// only a few rounds, or both runs of a round. The script prints the median difference with its 95 % confidence interval.
// It exits with 1 unless every idle middleware is shown to take at most 1 µs for each turn.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { defineMiddleware, defineTool } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { checkArguments } from '@parley/middleware/arguments'
import { createAuditLog } from '@parley/middleware/audit-log'
import { createCircuitBreaker } from '@parley/middleware/circuit-breaker'
import { guardOutput, guardTools } from '@parley/middleware/guardrails'
import { hooks } from '@parley/middleware/hooks'
import { logging } from '@parley/middleware/logging'
import { loopGuard } from '@parley/middleware/loop-guard'
import { createOffload } from '@parley/middleware/offload'
import { validateToolOutput } from '@parley/middleware/output-validation'
import { createPiiMask } from '@parley/middleware/pii'
import { createRateLimit } from '@parley/middleware/rate-limit'
import { createResponseCache } from '@parley/middleware/response-cache'
import { toolRetry } from '@parley/middleware/tool-retry'
import { stripThinkTags } from '@parley/middleware/think-tags'
import { timeout } from '@parley/middleware/timeout'
import { markUntrusted, sanitizeToolOutput } from '@parley/middleware/tool-output'

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    measure: { type: 'string' },
    rounds: { type: 'string', default: '600' },
    turns: { type: 'string', default: '100' },
    deltas: { type: 'string', default: '4000' },
  },
})
const [rounds, turns, deltas] = [values.rounds, values.turns, values.deltas].map(Number)
const nothing = () => {}
const pass = { name: 'pass', check: () => 'pass' }
const silent = { debug: nothing, info: nothing, warn: nothing, error: nothing }

/** Middlewares that idle in these runs, because no call fails, is late or exceeds a limit. */
const IDLE = {
  'no stages': () => defineMiddleware('idle', () => ({})),
  'a turn stage': () => defineMiddleware('idle', () => ({ turn: (_turn, next) => next() })),
  'a model stage': () => defineMiddleware('idle', () => ({ model: (call, next) => next(call) })),
  'a tool stage': () => defineMiddleware('idle', () => ({ tool: (call, next) => next(call) })),
  checkArguments: () => checkArguments(),
  'circuitBreaker (tools)': () => createCircuitBreaker({ watch: 'tools' }),
  'guardTools, a sync guard': () => guardTools(pass),
  'hooks (beforeTurn)': () => hooks({ beforeTurn: nothing }),
  'hooks (beforeTool)': () => hooks({ beforeTool: nothing }),
  loopGuard: () => loopGuard(),
  markUntrusted: () => markUntrusted({ trusted: ['step'] }),
  offload: () => createOffload().middleware,
  'rateLimit (requests)': () => createRateLimit({ requests: 1e9 }),
  'tool-retry': () => toolRetry(),
  sanitizeToolOutput: () => sanitizeToolOutput(),
  'timeout (tools)': () => timeout({ toolMs: { other: 1_000 } }),
  validateToolOutput: () => validateToolOutput({ schemas: { other: {} } }),
}

/** Middlewares that work in each turn or with each event. */
const BUSY = {
  'auditLog, records': () => createAuditLog({ write: nothing }).middleware,
  'circuitBreaker, reads the stream': () => createCircuitBreaker(),
  'guardOutput, holds the stream': () => guardOutput({ guards: [pass] }),
  'logging, writes lines': () => logging({ logger: silent }),
  'piiMask, rewrites the stream': () => createPiiMask().middleware,
  'rateLimit (tokens), reads the stream': () => createRateLimit({ tokens: 1e12 }),
  'responseCache, keeps the stream': () => createResponseCache(),
  'stripThinkTags, rewrites the stream': () => stripThinkTags(),
  'timeout (model), races the stream': () => timeout({ modelMs: 60_000 }),
  'timeout (tool), races the call': () => timeout({ toolMs: 60_000 }),
}

const step = defineTool({ name: 'step', description: 'One step.', input: { type: 'object' }, execute: () => 'ok' })

function answer(deltaCount, last) {
  return [...Array.from({ length: deltaCount }, () => ({ type: 'text.delta', text: 'word ' })), ...last]
}

function toolCall(turn) {
  return [
    { type: 'tool-call', callId: `c${turn}`, name: 'step', arguments: `{"turn":${turn}}` },
    { type: 'finish', reason: 'tool-calls' },
  ]
}

/** A model with prepared answers: a tool call in every turn but the last, and `deltaCount` text deltas in each turn. */
function scripted(turnCount, deltaCount) {
  const answers = Array.from({ length: turnCount }, (_, index) =>
    answer(deltaCount, index + 1 < turnCount ? toolCall(index) : [{ type: 'finish', reason: 'stop' }]),
  )
  return () => {
    let turn = 0
    return {
      provider: 'bench',
      id: 'm',
      info: {},
      async *stream() {
        yield* answers[turn++]
      },
    }
  }
}

/** Returns the time of one run in µs. */
async function time(middleware, model) {
  const agent = defineAgent({
    name: 'a',
    model: model(),
    tools: [step],
    context: 'none',
    limits: { maxTurns: 1e6 },
    middleware,
  })
  const runtime = createRuntime()
  const from = performance.now()
  const { status } = await runtime.run(agent, 'go').result
  const took = (performance.now() - from) * 1_000
  if (status !== 'completed') throw new Error(`ended as ${status}`)
  return took
}

/** Returns the median and its 95 % confidence interval, computed from ranks and so valid for every distribution. */
function summary(list) {
  const sorted = list.toSorted((a, b) => a - b)
  const at = rank => sorted[Math.min(Math.max(Math.round(rank), 0), sorted.length - 1)]
  const middle = (sorted.length - 1) / 2
  const spread = 0.98 * Math.sqrt(sorted.length)
  return { low: at(middle - spread), median: at(middle), high: at(middle + spread) }
}

async function compare(make, model, count) {
  const bare = []
  const more = []
  const settling = Math.ceil(rounds / 10)
  for (let round = -settling; round < rounds; round++) {
    const bareFirst = round % 2 === 0
    const first = await time(bareFirst ? [] : [make()], model)
    const second = await time(bareFirst ? [make()] : [], model)
    if (round < 0) continue
    bare.push((bareFirst ? first : second) / count)
    more.push((bareFirst ? second - first : first - second) / count)
  }
  return { bare: summary(bare).median, ...summary(more) }
}

async function measure(name) {
  const make = { ...IDLE, ...BUSY }[name]
  const turn = await compare(make, scripted(turns, 1), turns)
  const delta = await compare(make, scripted(1, deltas), deltas)
  console.log(JSON.stringify({ turn, delta }))
}

/** Measures one middleware in a new process. */
function measured(name) {
  const self = fileURLToPath(import.meta.url)
  const options = ['--rounds', rounds, '--turns', turns, '--deltas', deltas].map(String)
  const child = spawnSync(process.execPath, [...process.execArgv, self, '--measure', name, ...options], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (child.status !== 0) throw new Error(`The measurement of ${name} failed.`)
  return JSON.parse(child.stdout)
}

function cells({ bare, low, median, high }, scale, digits) {
  const shown = value => (value * scale).toFixed(digits)
  return `${shown(bare).padStart(7)} ${shown(median).padStart(7)} ${`${shown(low)} … ${shown(high)}`.padStart(15)}`
}

function table(title, cases, { limit }) {
  const names = Object.keys(cases).filter(name => values.only === undefined || name.includes(values.only))
  let over = 0
  if (names.length > 0)
    console.log(`\n${title.padEnd(36)} µs/turn    more          95 %  ns/delta   more          95 %`)
  for (const name of names) {
    const { turn, delta } = measured(name)
    const isOver = turn.high > limit
    over += Number(isOver)
    console.log(`${name.padEnd(36)}${cells(turn, 1, 2)}  ${cells(delta, 1_000, 1)}${isOver ? '  over 1 µs' : ''}`)
  }
  return over
}

if (values.measure !== undefined) {
  await measure(values.measure)
} else {
  console.log(`${turns} turns or ${deltas} deltas, ${rounds} rounds each`)
  const over = table('idle', IDLE, { limit: 1 })
  table('at work', BUSY, { limit: Infinity })
  process.exitCode = over === 0 ? 0 : 1
}

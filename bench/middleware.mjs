// What middleware that has nothing to do costs a run, beside the same run without it, interleaved in one process.
//   node --expose-gc --conditions=@parley/source bench/middleware.mjs [--turns 200] [--deltas 10000] [--reps 51]
import { parseArgs } from 'node:util'
import { defineMiddleware, defineTool } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { checkArguments } from '@parley/middleware/arguments'
import { createBudget } from '@parley/middleware/budget'
import { createCircuitBreaker } from '@parley/middleware/circuit-breaker'
import { hooks } from '@parley/middleware/hooks'
import { logging } from '@parley/middleware/logging'
import { loopGuard } from '@parley/middleware/loop-guard'
import { createPiiMask } from '@parley/middleware/pii'
import { createRateLimit } from '@parley/middleware/rate-limit'
import { retry } from '@parley/middleware/retry'
import { stripThinkTags } from '@parley/middleware/think-tags'
import { timeout } from '@parley/middleware/timeout'
import { sanitizeToolOutput } from '@parley/middleware/tool-output'

const { values } = parseArgs({
  options: {
    turns: { type: 'string', default: '200' },
    deltas: { type: 'string', default: '10000' },
    reps: { type: 'string', default: '51' },
  },
})
const [turns, deltas, reps] = [values.turns, values.deltas, values.reps].map(Number)
const nothing = () => {}
const silent = { debug: nothing, info: nothing, warn: nothing, error: nothing }

const CASES = {
  none: () => [],
  'no stages': () => [defineMiddleware('idle', () => ({}))],
  'idle turn, model and tool stage': () => [
    defineMiddleware('idle', () => ({
      turn: (_turn, next) => next(),
      model: (call, next) => next(call),
      tool: (call, next) => next(call),
    })),
  ],
  checkArguments: () => [checkArguments()],
  retry: () => [retry()],
  'timeout (tools)': () => [timeout({ toolMs: { other: 1_000 } })],
  loopGuard: () => [loopGuard()],
  sanitizeToolOutput: () => [sanitizeToolOutput()],
  'rateLimit (requests)': () => [createRateLimit({ requests: 1e9 })],
  'hooks (beforeTurn)': () => [hooks({ beforeTurn: nothing })],
  logging: () => [logging({ logger: silent })],
  'budget, wraps the stream': () => [createBudget({ tokens: 1e12 })],
  'circuitBreaker, wraps the stream': () => [createCircuitBreaker()],
  'timeout (model), wraps the stream': () => [timeout({ modelMs: 60_000 })],
  'stripThinkTags, wraps the stream': () => [stripThinkTags()],
  'piiMask, wraps the stream': () => [createPiiMask().middleware],
}

const step = defineTool({ name: 'step', description: 'One step.', input: { type: 'object' }, execute: () => 'ok' })
const events = (count, last) => [
  ...Array.from({ length: count }, () => ({ type: 'text.delta', text: 'word ' })),
  ...last,
]
const call = callId => [
  { type: 'tool-call', callId, name: 'step', arguments: `{"call":"${callId}"}` },
  { type: 'finish', reason: 'tool-calls' },
]

/** A model that calls a tool in every turn but the last, and writes so many deltas in each. */
function model(turnCount, deltaCount) {
  let turn = 0
  return {
    provider: 'bench',
    id: 'm',
    info: {},
    async *stream() {
      turn += 1
      yield* events(deltaCount, turn < turnCount ? call(`c${turn}`) : [{ type: 'finish', reason: 'stop' }])
    },
  }
}

async function time(make, turnCount, deltaCount) {
  const agent = defineAgent({
    name: 'a',
    model: model(turnCount, deltaCount),
    tools: [step],
    context: 'none',
    limits: { maxTurns: 1e6 },
    middleware: make(),
  })
  const runtime = createRuntime()
  const from = performance.now()
  const { status } = await runtime.run(agent, 'go').result
  const took = (performance.now() - from) * 1_000
  if (status !== 'completed') throw new Error(`ended as ${status}`)
  return took
}

const median = list => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)]

/** The run without middleware and with it in turns; what it costs more is the median over the pairs. */
async function compare(make, turnCount, deltaCount) {
  const bare = []
  const more = []
  globalThis.gc?.()
  for (let rep = -5; rep < reps; rep++) {
    // Whoever goes second finds a warmer machine: they take turns at that, too.
    const first = await time(rep % 2 === 0 ? CASES.none : make, turnCount, deltaCount)
    const second = await time(rep % 2 === 0 ? make : CASES.none, turnCount, deltaCount)
    const [without, withIt] = rep % 2 === 0 ? [first, second] : [second, first]
    // The first rounds let the compiler settle.
    if (rep < 0) continue
    bare.push(without)
    more.push(withIt - without)
  }
  return { bare: median(bare), more: median(more) }
}

console.log(`${turns} turns, ${deltas} deltas, medians of ${reps} interleaved pairs`)
console.log(`${'middleware'.padEnd(36)} µs/turn    more   ratio   ns/delta    more   ratio`)
for (const [name, make] of Object.entries(CASES)) {
  const turn = await compare(make, turns, 1)
  const delta = await compare(make, 1, deltas)
  const row = [
    (turn.bare / turns).toFixed(2).padStart(7),
    (turn.more / turns).toFixed(2).padStart(7),
    (1 + turn.more / turn.bare).toFixed(2).padStart(7),
    ((delta.bare * 1_000) / deltas).toFixed(0).padStart(10),
    ((delta.more * 1_000) / deltas).toFixed(0).padStart(7),
    (1 + delta.more / delta.bare).toFixed(2).padStart(7),
  ]
  console.log(`${name.padEnd(36)} ${row.join(' ')}`)
}

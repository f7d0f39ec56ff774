import type { Middleware, ModelCall, ModelEvent, ModelRequest, RunEvent, RunFacts, RunProgress } from '@parley/core'
import { fakeClock, type Script } from '@parley/testing'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { callEcho, eventsOf, setup } from './__fixtures__/set-up-agent.ts'
import { checkArguments } from './arguments/index.ts'
import { createAuditLog } from './audit-log/index.ts'
import { createCircuitBreaker } from './circuit-breaker/index.ts'
import { guardOutput, guardTools } from './guardrails/index.ts'
import { hooks } from './hooks/index.ts'
import { logging } from './logging/index.ts'
import { loopGuard } from './loop-guard/index.ts'
import { createOffload } from './offload/index.ts'
import { validateToolOutput } from './output-validation/index.ts'
import { createPiiMask } from './pii/index.ts'
import { createRateLimit } from './rate-limit/index.ts'
import { createResponseCache } from './response-cache/index.ts'
import { toolRetry } from './tool-retry/index.ts'
import { stripThinkTags } from './think-tags/index.ts'
import { timeout } from './timeout/index.ts'
import { markUntrusted, sanitizeToolOutput } from './tool-output/index.ts'

const silent = { debug() {}, info() {}, warn() {}, error() {} }
const same = { name: 'pass', check: () => 'pass' as const }

/** Every middleware, configured so that it has nothing to do in the runs below. */
const IDLE: readonly (() => Middleware)[] = [
  () => checkArguments(),
  () => createAuditLog({ write: () => {} }).middleware,
  () => createCircuitBreaker(),
  () => guardOutput({ guards: [same] }),
  () => guardTools(same),
  () => hooks({ beforeTurn: () => true, afterModel: () => undefined, afterTool: () => undefined }),
  () => logging({ logger: silent }),
  () => loopGuard(),
  () => createOffload().middleware,
  () => validateToolOutput({ schemas: { other: {} } }),
  () => createPiiMask().middleware,
  () => createRateLimit({ requests: 1_000, tokens: 1_000_000 }),
  () => createResponseCache(),
  () => toolRetry(),
  () => stripThinkTags(),
  () => timeout({ modelMs: 60_000, idleMs: 60_000, toolMs: 60_000, clock: fakeClock() }),
  () => sanitizeToolOutput(),
]

const script: Script = [
  { reasoning: 'Hm, let me see.', text: 'I will ask.', ...callEcho('first') },
  { toolCalls: [{ name: 'echo', input: { text: 'second' } }, { name: 'nope' }] },
  'Done, it is all there.',
]

/** Returns the journaled events of a run, without ids and times. */
async function traceOf(middleware: readonly Middleware[]): Promise<readonly unknown[]> {
  const { run } = setup(script, middleware, { toolExecution: 'sequential' })
  const events = await eventsOf(run())
  const kept = events.filter(event => 'v' in event)
  const strip = ({ runId: _r, sessionId: _s, seq: _n, at: _a, ...event }: RunEvent): unknown => event
  return JSON.parse(
    JSON.stringify(kept.map(strip), (key, value: unknown) => (key === 'sessionId' ? 's' : value)),
  ) as unknown[]
}

describe('middleware with nothing to do', () => {
  it.each(IDLE.map(make => [make().name, make] as const))(
    '%s with nothing to do does not change a run',
    async (_, make) => {
      expect(await traceOf([make()])).toEqual(await traceOf([]))
    },
  )

  it('middleware with nothing to do does not change a run, in any number and order', async () => {
    const plain = await traceOf([])
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray([...IDLE]), async makers => {
        expect(await traceOf(makers.map(make => make()))).toEqual(plain)
      }),
      { numRuns: 25 },
    )
  })
})

/** Every middleware that does not wrap the stream of an answer. */
const BESIDE_THE_STREAM: readonly (() => Middleware)[] = [
  () => checkArguments(),
  () => createCircuitBreaker({ watch: 'tools' }),
  () => guardTools(same),
  () => hooks({ beforeSession: () => {}, beforeRun: () => {}, beforeTurn: () => {}, beforeTool: () => {}, afterTool: () => {} }),
  () => loopGuard(),
  () => markUntrusted(),
  () => createOffload().middleware,
  () => createRateLimit({ requests: 1_000 }),
  () => toolRetry(),
  () => sanitizeToolOutput(),
  () => timeout({ toolMs: 60_000 }),
  () => validateToolOutput({ schemas: {} }),
] // oxfmt-ignore

describe('a text delta', () => {
  const run: RunFacts = { runId: 'r', sessionId: 's', agent: 'a', scope: '', path: [] }
  const request: ModelRequest = { system: [], messages: [], tools: [], settings: {} }
  const model = { provider: 'p', id: 'm', info: {} }
  const call: ModelCall = { turn: 1, model, request, signal: new AbortController().signal }

  it.each(BESIDE_THE_STREAM.map(make => [make().name, make] as const))(
    '%s returns the stream of an answer itself and listens to no events',
    (_, make) => {
      const stages = make().begin(run, {} as RunProgress)
      const stream: AsyncIterable<ModelEvent> = (async function* () {})()
      // Costs nothing for each delta.
      expect(stages.model?.(call, () => stream) ?? stream).toBe(stream)
      expect(stages.event).toBeUndefined()
    },
  )
})

it('stripThinkTags, a PII mask and guardOutput give the same messages in any order', async () => {
  // Each works on the stream that reaches it, so their order does not affect text or reasoning here.
  const makers = [() => stripThinkTags(), () => createPiiMask().middleware, () => guardOutput({ guards: [same] })]
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray(makers, { minLength: 3 }),
      fc.integer({ min: 1, max: 9 }),
      async (each, chunkSize) => {
        const text = '<think>Ann has ann@example.org</think>Ask ben@example.org.'
        const { run } = setup(
          [{ text, chunkSize }],
          each.map(make => make()),
        )
        const { messages } = await run().result
        expect(messages[1]?.content).toEqual([
          { type: 'reasoning', text: 'Ann has [EMAIL]' },
          { type: 'text', text: 'Ask [EMAIL].' },
        ])
      },
    ),
    { numRuns: 40 },
  )
})

it('a model is called once for each turn, whatever middleware surrounds it', async () => {
  const { run, model } = setup(
    script,
    IDLE.map(make => make()),
  )
  expect(await run().result).toMatchObject({ status: 'completed', turns: 3 })
  expect(model.requests).toHaveLength(3)
})

// Middleware keeps an agent within its limits: rate limit, tool retry, circuit breaker, cache and timeouts.
import assert from 'node:assert/strict'
import { defineTool, toolError } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { checkArguments } from '@parley/middleware/arguments'
import { createCircuitBreaker } from '@parley/middleware/circuit-breaker'
import { loopGuard } from '@parley/middleware/loop-guard'
import { createOffload } from '@parley/middleware/offload'
import { validateToolOutput } from '@parley/middleware/output-validation'
import { createRateLimit } from '@parley/middleware/rate-limit'
import { createResponseCache } from '@parley/middleware/response-cache'
import { toolRetry } from '@parley/middleware/tool-retry'
import { timeout } from '@parley/middleware/timeout'
import { fakeClock, scriptedModel } from '@parley/testing'
import * as z from 'zod'

let tries = 0
const stock = defineTool({
  name: 'stock',
  description: 'Returns the places of an item.',
  input: z.object({ item: z.string(), limit: z.number() }),
  effect: 'read',
  execute: ({ item, limit }) => {
    tries += 1
    if (tries === 1) return toolError('The warehouse is busy.', { retryable: true })
    return { item, places: Array.from({ length: limit }, (_, index) => `shelf ${index}`) }
  },
})
const offload = createOffload({ maxCharacters: 500, previewCharacters: 100 })
const clock = fakeClock()
let waitedMs = 0
const lookups: boolean[] = []

const model = scriptedModel([
  // A number as a string: the middleware converts it.
  { toolCalls: [{ name: 'stock', input: { item: 'bolt', limit: '100' } }] },
  { toolCalls: [{ name: 'read_artifact', input: { id: 'artifact_1', search: 'shelf 77' } }] },
  'Bolts lie on shelf 77, among others.',
  'Bolts and nuts.',
])
const agent = defineAgent({
  name: 'store',
  model,
  tools: [stock, offload.tool],
  middleware: [
    createResponseCache({ onLookup: ({ hit }) => lookups.push(hit) }),
    createRateLimit({
      requests: 2,
      clock,
      onWait: ({ delayMs }) => {
        waitedMs += delayMs
        void clock.advance(delayMs)
      },
    }),
    createCircuitBreaker({ failures: 3 }),
    timeout({ modelMs: 10_000, toolMs: 5_000 }),
    loopGuard(),
    offload.middleware,
    validateToolOutput({ schemas: { stock: z.object({ item: z.string(), places: z.array(z.string()) }) } }),
    checkArguments(),
    toolRetry({ initialDelayMs: 1 }),
  ],
})
await using runtime = createRuntime({ agents: [agent] })

const first = await runtime.invoke('store', 'Where are bolts?')
console.log(first.text, `(${tries} tries, waited ${waitedMs} ms)`)
// → Bolts lie on shelf 77, among others. (2 tries, waited 30000 ms)

// The same question again: the answer comes from the cache.
const answers = [await runtime.invoke('store', 'What do you sell?'), await runtime.invoke('store', 'What do you sell?')]
assert.equal(model.requests.length, 4)
console.log(answers.map(({ text, usage }) => `${text} (${usage.output} tokens)`).join(' ')) // → Bolts and nuts. (5 tokens) Bolts and nuts. (0 tokens)
console.log(lookups.filter(hit => hit).length) // → 1

import { compileSchema } from '@parley/core/json-schema'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { configJsonSchema, configSchema } from './config-schema.ts'

/** A configuration with every kind of value. */
const FULL = {
  $schema: './schema.json',
  providers: {
    openai: {
      apiKey: 'k',
      baseUrl: 'u',
      headers: { a: 'b' },
      wire: 'json',
      timeouts: { idleMs: 1 },
      retry: { jitter: 0 },
    },
    mine: { type: 'other', options: { deep: [1, { a: null }] } },
  },
  models: {
    fast: { provider: 'openai', id: 'm', contextWindow: 9, pricing: { input: 0, output: 1, date: '2026-01-01' } },
  },
  contexts: { long: { policy: 'phi', scope: 'token-budget' }, short: { policy: 'summarize', keepRecentTurns: 2 } },
  profiles: { careful: { limits: { maxTurns: 3 }, onTruncated: { policy: 'retry', attempts: 2 } } },
  defaults: { model: 'fast', toolExecution: { batch: 2 }, settings: { thinking: { budgetTokens: 5 }, cache: 'off' } },
  agents: {
    clerk: {
      profile: 'careful',
      instructions: ['a', { file: 'b' }, { template: '{{x}}', variables: ['x'] }],
      agents: ['helper', { agent: 'helper', name: 'h', timeoutMs: 0.5 }],
      permissions: [
        { tool: '*', permission: { effect: 'ask', roles: ['r'] } },
        { tool: 'b', permission: 'deny' },
      ],
      context: 'none',
      output: { schema: { type: 'object' }, repairs: 0 },
      approval: { webhook: { url: 'https://a', secret: 's' } },
    },
    helper: { context: { policy: 'sliding-window', maxMessages: 4 }, output: { file: 'x' }, queue: { capacity: 1 } },
  },
  runtime: {
    store: 'x.db',
    quota: { onFull: 'wait' },
    onClose: 'suspend',
    retention: { olderThanMs: 5 },
    autoResume: [],
  },
}

/** Values that are invalid in most places. */
const OTHERS = [null, true, '', 'other', 0, -1, 1.5, 7, [], ['x'], {}, { policy: 'phi' }, undefined]

describe('configJsonSchema', () => {
  it('configJsonSchema equals the schema.json of the package', async () => {
    await expect(`${JSON.stringify(configJsonSchema(), null, 2)}\n`).toMatchFileSnapshot('../../schema.json')
  })

  it('configJsonSchema accepts exactly the values that the zod schema accepts', async () => {
    const fits = compileSchema(configJsonSchema())
    expect(configSchema.safeParse(FULL).success).toBe(true)
    expect(await fits(FULL)).toMatchObject({ ok: true })
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.nat()), fc.constantFrom(...OTHERS), async (choices, other) => {
        const changed = withOneChange(FULL, { choices, other })
        expect((await fits(changed)).ok).toBe(configSchema.safeParse(changed).success)
      }),
      { numRuns: 500 },
    )
  })

  it('configJsonSchema describes every top-level key', () => {
    const { properties } = configJsonSchema() as { properties: Record<string, { description?: string }> }
    const silent = Object.entries(properties).filter(([, { description = '' }]) => description === '')
    expect(silent.map(([key]) => key)).toEqual([])
  })
})

interface Change {
  readonly choices: Iterator<number>
  readonly other: unknown
}

/** The same value with one change: another value somewhere, or one more key. */
function withOneChange(value: unknown, { choices, other }: Change): unknown {
  const choice = (): number => Number(choices.next().value)
  if (typeof value !== 'object' || value === null || choice() % 6 === 0) return other
  const fields = Object.entries(value)
  if (choice() % 8 === 0) return Array.isArray(value) ? [...value, other] : { ...value, extra: other }
  if (fields.length === 0) return other
  const at = choice() % fields.length
  const changed = fields.map(([key, item], index) => [
    key,
    index === at ? withOneChange(item, { choices, other }) : item,
  ])
  const kept = changed.filter(([, item]) => item !== undefined)
  return Array.isArray(value) ? kept.map(([, item]) => item) : Object.fromEntries(kept)
}

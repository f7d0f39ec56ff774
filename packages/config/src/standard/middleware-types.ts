import type { RunFacts } from '@parley/core'
import * as z from 'zod'
import type { InputFilterType, MiddlewareType, PartContext } from '../compose/part-type.ts'
import { retrySchema } from '../schema/retry-schema.ts'
import { anyJson, count, lasting, words } from '../schema/scalars.ts'
import { auditLogType } from './audit-log-type.ts'
import { hooksType } from './hooks-type.ts'
import { part } from './part.ts'
import { loggingType } from './logging-type.ts'
import { moduleType } from './module-type.ts'
import { offloadType } from './offload-type.ts'

const texts = z.array(words).optional()
const guard = { model: words, policy: words, name: words.optional() }

/** Which runs share a limit. */
const per = z.enum(['run', 'session', 'scope', 'agent', 'all']).optional()

const KEYS = {
  run: ({ runId }: RunFacts) => runId,
  session: ({ scope, sessionId }: RunFacts) => JSON.stringify([scope, sessionId]),
  scope: ({ scope }: RunFacts) => scope,
  agent: ({ agent }: RunFacts) => agent,
  all: () => '',
}

const rateLimitOptions = z.strictObject({
  requests: count.optional(),
  tokens: count.optional(),
  intervalMs: lasting.optional(),
  onLimit: z.enum(['wait', 'refuse']).optional(),
  maxWaitMs: lasting.optional(),
  per: per.describe('Runs that share the limit. Default: all.'),
})

/** The middleware of `@parley/middleware`, by the names that they have at run time. Options that are functions are left out. */
export const middlewareTypes: Readonly<Record<string, MiddlewareType>> = {
  arguments: part(z.strictObject({ repair: z.boolean().optional() }), async options =>
    (await import('@parley/middleware/arguments')).checkArguments(options),
  ),
  'audit-log': auditLogType,
  'circuit-breaker': part(
    z.strictObject({
      failures: count.optional(),
      openMs: lasting.optional(),
      watch: z.enum(['models', 'tools', 'both']).optional(),
    }),
    async options => (await import('@parley/middleware/circuit-breaker')).createCircuitBreaker(options),
  ),
  'guard-output': part(z.strictObject({ ...guard, fallback: words.optional() }), async (options, context) => {
    const { guardOutput } = await import('@parley/middleware/guardrails')
    const { fallback, ...judge } = options
    return guardOutput({ guards: [await guardOf(judge, context)], fallback })
  }),
  'guard-tools': part(z.strictObject(guard), async (options, context) =>
    (await import('@parley/middleware/guardrails')).guardTools(await guardOf(options, context)),
  ),
  hooks: hooksType,
  logging: loggingType,
  'loop-guard': part(
    z.strictObject({
      maxRepeats: count.optional(),
      window: count.optional(),
      stopAfter: count.optional(),
      ignore: texts,
    }),
    async options => (await import('@parley/middleware/loop-guard')).loopGuard(options),
  ),
  'mark-untrusted': part(
    z.strictObject({ trusted: texts, tag: words.optional(), instruction: words.optional() }),
    async options => (await import('@parley/middleware/tool-output')).markUntrusted(options),
  ),
  module: moduleType,
  offload: offloadType,
  'output-validation': part(
    z.strictObject({ schemas: z.record(words, z.record(z.string(), anyJson)) }),
    async options => (await import('@parley/middleware/output-validation')).validateToolOutput(options),
  ),
  pii: part(
    z.strictObject({
      kinds: z
        .array(z.enum(['email', 'phone', 'card', 'iban', 'ssn', 'ip']))
        .min(1)
        .optional(),
    }),
    async options => {
      const mask = (await import('@parley/middleware/pii')).createPiiMask(options)
      return { middleware: mask.middleware, inputFilters: [mask.inputFilter] }
    },
  ),
  'rate-limit': part(rateLimitOptions, async ({ per: shared = 'all', ...options }) =>
    (await import('@parley/middleware/rate-limit')).createRateLimit({ ...options, key: KEYS[shared] }),
  ),
  'response-cache': part(z.strictObject({ ttlMs: lasting.optional(), maxBytes: count.optional() }), async options =>
    (await import('@parley/middleware/response-cache')).createResponseCache(options),
  ),
  'sanitize-tool-output': part(
    z.strictObject({
      action: z.enum(['replace', 'block']).optional(),
      replacement: z.string().optional(),
      trusted: texts,
    }),
    async options => (await import('@parley/middleware/tool-output')).sanitizeToolOutput(options),
  ),
  'think-tags': part(
    z.strictObject({
      tags: z.array(words).min(1).optional(),
      as: z.enum(['reasoning', 'nothing']).optional(),
      opened: z.boolean().optional(),
    }),
    async options => (await import('@parley/middleware/think-tags')).stripThinkTags(options),
  ),
  timeout: part(
    z.strictObject({
      modelMs: lasting.optional(),
      firstTokenMs: lasting.optional(),
      idleMs: lasting.optional(),
      toolMs: z.union([lasting, z.record(words, lasting)]).optional(),
    }),
    async options => (await import('@parley/middleware/timeout')).timeout(options),
  ),
  'tool-retry': part(retrySchema, async options => (await import('@parley/middleware/tool-retry')).toolRetry(options)),
}

/** Input filters that a file can use. */
export const inputFilterTypes: Readonly<Record<string, InputFilterType>> = {
  'guard-input': part(z.strictObject(guard), async (options, context) =>
    (await import('@parley/middleware/guardrails')).guardInput(await guardOf(options, context)),
  ),
}

interface GuardData {
  readonly model: string
  readonly policy: string
  readonly name?: string | undefined
}

/** Makes a guard that asks a model. Its name is the name of its entry. */
async function guardOf({ model, policy, name }: GuardData, context: PartContext) {
  const { createModelGuard } = await import('@parley/middleware/guardrails')
  const found = context.model('model', model) ?? NO_MODEL
  return createModelGuard({ name: name ?? context.name, model: found, policy })
}

/** Stands for a model that was reported as unknown. */
const NO_MODEL = { provider: '', id: '', info: {}, async *stream() {} }

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { describeError } from './describe-error.ts'
import { arbitraryOf } from '../schema/__fixtures__/arbitrary-of.ts'
import type { ErrorInfo } from '../schema/error-info.ts'
import { errorInfoSchema } from '../schema/error-info-schema.ts'

const members = errorInfoSchema.options.map(option => [option.shape.code.value, option] as const)
const model = { provider: 'acme', model: 'm-1', detail: 'It says no.' }

const sentences: readonly (readonly [ErrorInfo, string])[] = [
  [
    { code: 'model-not-found', ...model, status: 404 },
    `acme/m-1 does not know the model or the address. Check the model id and the base URL. It says no. (HTTP 404)`,
  ],
  [
    { code: 'model-server', provider: 'acme', detail: '', status: 500, requestId: 'q1' },
    `acme failed with a server error. (HTTP 500, request q1)`,
  ],
  [
    { code: 'model-timeout', ...model, detail: '', deadline: 'idle', ms: 500 },
    `acme/m-1 did not answer in time. (idle deadline of 500 ms)`,
  ],
  [
    { code: 'model-timeout', provider: 'acme', detail: '', deadline: 'server' },
    `acme did not answer in time. (server deadline)`,
  ],
  [
    { code: 'tool-unknown', tool: 'serch', available: ['search', 'read'] },
    `There is no tool named 'serch'. Available tools: search, read.`,
  ],
  [{ code: 'tool-unknown', tool: 'serch', available: [] }, `There is no tool named 'serch'. There are no tools.`],
  [
    {
      code: 'tool-input-invalid',
      tool: 'search',
      issues: [
        { path: '', message: 'must be an object' },
        { path: '/limit', message: 'must be above 0' },
      ],
    },
    `The arguments of 'search' do not fit its schema: the value must be an object; /limit must be above 0.`,
  ],
  [
    { code: 'tool-cancelled', tool: 'search', started: true },
    `'search' was cancelled while it ran; it may have taken partial effect.`,
  ],
  [{ code: 'tool-cancelled', tool: 'search', started: false }, `'search' was cancelled before it ran.`],
  [
    { code: 'step-failed', workflow: 'w', step: 'each[2].ask', cause: 'run-failed', detail: 'No.' },
    `Step 'each[2].ask' of workflow 'w' failed (run-failed): No.`,
  ],
  [{ code: 'agent-unknown', agent: 'a', known: ['b', 'c'] }, `There is no agent named 'a'. Known agents: b, c.`],
  [
    { code: 'model-unknown', model: 'a', known: [] },
    `There is no model named 'a'. Known models: none. Name it in 'models' of createRuntime, give its provider in 'providers', or set 'model' to a model: provider.model('ID').`,
  ],
  [
    { code: 'quota-exceeded', quota: 'maxConcurrentRuns', owner: 'agents.a', max: 2, value: 2 },
    `The quota agents.a.quota.maxConcurrentRuns of 2 is used up (2).`,
  ],
  [
    {
      code: 'context-unsatisfiable',
      policy: 'truncate-oldest',
      bound: 'maxTokens',
      max: 100,
      tokens: 140,
      messages: 6,
      fixedTokens: 20,
      longest: 60,
    },
    `The request does not fit into the maxTokens of 100 tokens: it has about 140, of which 20 are instructions and tools. The policy 'truncate-oldest' cannot remove more than it has: 6 messages stay, the longest with 60 tokens. Raise maxTokens, let the policy keep fewer messages, or shorten the messages, instructions or tools.`,
  ],
  [{ code: 'limit-reached', limit: 'turns', max: 50, value: 50 }, `The run reached its limit of 50 turns (50).`],
  [
    { code: 'store-newer', store: 'a.db', found: '0009', known: '0002' },
    `The store a.db was written by a newer release (schema 0009; this release knows 0002). Update Parley.`,
  ],
  [
    { code: 'request-invalid', path: 'input.0.role', detail: 'must be user' },
    `The request is invalid: input.0.role: must be user.`,
  ],
  [
    { code: 'agent-request-failed', url: 'http://a.b', detail: 'busy', status: 409, remoteCode: 'SESSION_BUSY' },
    `The agent at http://a.b did not answer: busy (HTTP 409, SESSION_BUSY)`,
  ],
  [
    { code: 'agent-request-failed', url: 'http://a.b', detail: 'fetch failed' },
    `The agent at http://a.b did not answer: fetch failed`,
  ],
  [
    { code: 'url-refused', url: 'http://10.0.0.1/', reason: 'forbidden', detail: 'it is private.' },
    `Cannot fetch http://10.0.0.1/: it is private.`,
  ],
  [
    { code: 'url-failed', url: 'http://a.test/', detail: 'nothing answers.', retryable: true },
    `Fetching http://a.test/ failed: nothing answers.`,
  ],
  [{ code: 'cancelled', kind: 'user' }, `Cancelled (user)`],
  [{ code: 'cancelled', kind: 'guard', detail: 'too long' }, `Cancelled (guard): too long`],
]

describe('describeError', () => {
  it.each(sentences)('describeError says what happened and what to do for $code', (info, sentence) => {
    expect(describeError(info)).toBe(sentence)
  })

  it.each(members)('describeError writes a complete sentence for every %s with any optional fields', (_, option) => {
    fc.assert(
      fc.property(arbitraryOf(option), drawn => {
        const sentence = describeError(drawn as ErrorInfo)
        const words = Object.values(drawn as object).filter(value => typeof value === 'string')
        const frame = words.reduce((rest, word) => (word === '' ? rest : rest.replaceAll(word, '')), sentence)
        expect(sentence).toBeTypeOf('string')
        expect(frame).not.toMatch(/undefined|\[object|NaN/)
      }),
      { numRuns: 50 },
    )
  })

  it.each(members)('describeError shows every name and number of %s', (code, option) => {
    const samples = Object.entries(option.shape).flatMap(([name, field]) => {
      const sample = name === 'code' ? undefined : sampleOf(field, name)
      return sample === undefined ? [] : [{ name, ...sample }]
    })
    const info = { code, ...Object.fromEntries(samples.map(({ name, value }) => [name, value])) }
    const sentence = describeError(info as ErrorInfo)
    for (const { shown } of samples) expect(sentence).toContain(shown)
  })
})

/** A value for a required field that a reader of the sentence must find in it, and how it looks there. */
function sampleOf(field: z.core.$ZodType, name: string): { value: unknown; shown: string } | undefined {
  const shown = `<${name}>`
  if (field instanceof z.ZodString) return { value: shown, shown }
  if (field instanceof z.ZodNumber) return { value: 4_711 + name.length, shown: String(4_711 + name.length) }
  if (!(field instanceof z.ZodArray)) return undefined
  return { value: field.element instanceof z.ZodString ? [shown] : [{ path: '/a', message: shown }], shown }
}

import { AnthropicBedrock } from '@anthropic-ai/bedrock-sdk'
import { ParleyError, type ModelEvent } from '@parley/core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { answers } from '../__fixtures__/answers.ts'
import { collectAnswer } from '../__fixtures__/collect-answer.ts'
import { frameOf, joinBytes, toEventStream } from '../__fixtures__/event-stream.ts'
import { recordRequests, type RecordedRequest } from '../__fixtures__/record-requests.ts'
import { createAnthropic, type AnthropicOptions } from '../create-anthropic.ts'
import { encodeAssistant } from '../request/encode-assistant.ts'
import { createBedrockPlatform, type BedrockPlatformOptions } from './create-bedrock-platform.ts'

const MODEL = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0'
// Headers that contain the version of the official client.
const SDK_VERSION = '2026-10-21'
const EVENT_STREAM = 'application/vnd.amazon.eventstream'
const keys = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'planted-secret' }
const hi = { role: 'user' as const, content: [{ type: 'text' as const, text: 'hi' }] }

interface Asked extends AnthropicOptions {
  readonly at?: BedrockPlatformOptions
  readonly model?: string
}

async function ours({ at = { credentials: keys }, model = MODEL, ...options }: Asked): Promise<ModelEvent[]> {
  const platform = createBedrockPlatform({ region: 'us-west-2', ...at })
  const asked = createAnthropic({ platform, retry: { maxRetries: 0 }, ...options }).model(model)
  const settings = { maxOutputTokens: 9, cache: 'off' } as const
  const events: ModelEvent[] = []
  for await (const event of asked.stream({ system: [], messages: [hi], tools: [], settings }, {})) events.push(event)
  return events
}

function client(fetch: ReturnType<typeof recordRequests>['fetch'], betas: readonly string[] = []) {
  return new AnthropicBedrock({
    awsRegion: 'us-west-2',
    awsAccessKey: keys.accessKeyId,
    awsSecretKey: keys.secretAccessKey,
    defaultHeaders: betas.length === 0 ? {} : { 'anthropic-beta': betas.join(',') },
    maxRetries: 0,
    fetch,
  })
}

const compared = (request: RecordedRequest | undefined): object => ({
  method: request?.method.toUpperCase(),
  url: request?.url,
  body: JSON.parse(request?.body ?? 'null') as unknown,
  contentType: request?.headers.get('content-type'),
  scope: /Credential=[^/]+\/\d{8}\/([^,]+)/.exec(request?.headers.get('authorization') ?? '')?.[1],
  others: ['anthropic-version', 'anthropic-beta', 'x-api-key'].map(name => request?.headers.get(name) ?? null),
})

async function failureOf(body: string | Uint8Array<ArrayBuffer>, status = 200): Promise<unknown> {
  const { fetch } = recordRequests(body, status === 200 ? EVENT_STREAM : 'application/json', status)
  const error: unknown = await ours({ fetch }).catch((thrown: unknown) => thrown)
  return ParleyError.is(error) ? error.info : error
}

describe('createBedrockPlatform', () => {
  afterEach(() => void vi.unstubAllEnvs())

  it.each([
    ['stream', MODEL, []],
    ['stream', 'arn:aws:bedrock:us-west-2:1:application-inference-profile/a b', ['a', 'b']],
    ['json', MODEL, []],
  ] as const)('Bedrock requests equal those of the official client: %s, %s, betas %j', async (wire, model, betas) => {
    const mine = recordRequests('', '')
    await ours({ wire, betas, model, version: SDK_VERSION, fetch: mine.fetch }).catch(() => undefined)
    const other = recordRequests('{}', 'application/json')
    const body = { model, max_tokens: 9, messages: [hi] }
    await client(other.fetch, betas)
      .messages.create({ ...body, stream: wire === 'stream' })
      .catch(() => undefined)
    expect(compared(mine.requests[0])).toEqual(compared(other.requests[0]))
  })

  it('Bedrock requests contain the version in the form of the platform', async () => {
    const { fetch, requests } = recordRequests('', '')
    await ours({ fetch }).catch(() => undefined)
    expect(JSON.parse(requests[0]?.body ?? '')).toMatchObject({ anthropic_version: 'bedrock-2023-05-31' })
  })

  it('Bedrock requests contain a Bedrock key instead of a signature if apiKey is given', async () => {
    const mine = recordRequests('', '')
    await ours({ at: { apiKey: 'bedrock-key' }, fetch: mine.fetch }).catch(() => undefined)
    const headers = mine.requests[0]?.headers
    expect(headers?.get('authorization')).toBe('Bearer bedrock-key')
    expect(headers?.get('x-amz-date')).toBeNull()
  })

  it('createBedrockPlatform keeps an authorization header that the user sets', async () => {
    const { fetch, requests } = recordRequests('', '')
    await ours({ headers: { authorization: 'Gateway x' }, fetch }).catch(() => undefined)
    expect(requests[0]?.headers.get('authorization')).toBe('Gateway x')
    expect(requests[0]?.headers.get('x-amz-date')).toBeNull()
  })

  it.each(Object.keys(answers) as (keyof typeof answers)[])(
    'createAnthropic reads the same answer from Bedrock as the official client: %s',
    async name => {
      const bytes = toEventStream(answers[name])
      const { fetch } = recordRequests(bytes, EVENT_STREAM)
      const theirs = await client(fetch)
        .messages.stream({ model: MODEL, max_tokens: 9, messages: [hi] })
        .finalMessage()
      const events = await ours({ fetch })
      const sentBack = encodeAssistant(collectAnswer(events), { provider: 'anthropic', model: MODEL })
      const plain = theirs.content.map(block =>
        Object.fromEntries(Object.entries(block).filter(([field, value]) => field !== 'citations' || value !== null)),
      )
      expect(sentBack.map(({ json }) => JSON.parse(json) as unknown)).toEqual(plain)
      expect(events.findLast(event => event.type === 'usage')?.usage.output).toBe(theirs.usage.output_tokens)
    },
  )

  it.each([
    ['throttlingException', 'model-rate-limited'],
    ['validationException', 'model-invalid-request'],
    ['serviceUnavailableException', 'model-overloaded'],
    ['modelTimeoutException', 'model-timeout'],
    ['internalServerException', 'model-server'],
  ])('an exception %s inside a Bedrock stream fails with %s', async (exception, code) => {
    const headers = { ':message-type': 'exception', ':exception-type': exception }
    const failed = joinBytes([frameOf(headers, { message: 'Oops.' })])
    expect(await failureOf(failed)).toMatchObject({ code, detail: 'Oops.' })
  })

  it('createAnthropic reports Bedrock error messages and failed statuses', async () => {
    const headers = { ':message-type': 'error', ':error-code': 'InternalFailure', ':error-message': 'Oops.' }
    expect(await failureOf(joinBytes([frameOf(headers, '')]))).toMatchObject({ code: 'model-server', detail: 'Oops.' })
    expect(await failureOf('{"message":"Input is too long for requested model."}', 400)).toMatchObject({
      code: 'model-context-length',
    })
  })

  it('createAnthropic fails if a Bedrock stream is incomplete or damaged', async () => {
    const [first] = Object.values(answers)
    const bytes = toEventStream(first ?? '')
    expect(await failureOf(bytes.slice(0, -5))).toMatchObject({ code: 'model-stream' })
    const damaged = bytes.slice()
    damaged[damaged.length - 30] = (damaged.at(-30) ?? 0) ^ 1
    expect(await failureOf(damaged)).toMatchObject({ detail: expect.stringContaining('damaged') as string })
  })

  it('createBedrockPlatform reads keys from the environment and calls a credentials function for each request', async () => {
    vi.stubEnv('AWS_BEARER_TOKEN_BEDROCK', '')
    vi.stubEnv('AWS_ACCESS_KEY_ID', '')
    expect(() => createBedrockPlatform()).toThrow(expect.objectContaining({ code: 'config-invalid' }))
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDENV')
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 's')
    const { fetch, requests } = recordRequests('', '')
    await ours({ at: {}, fetch }).catch(() => undefined)
    await ours({ at: { credentials: async () => ({ ...keys, sessionToken: 'st' }) }, fetch }).catch(() => undefined)
    vi.stubEnv('AWS_BEARER_TOKEN_BEDROCK', 'env-key')
    await ours({ at: {}, fetch }).catch(() => undefined)
    expect(requests.map(({ headers }) => headers.get('authorization')?.slice(0, 40))).toEqual([
      expect.stringContaining('Credential=AKIDENV') as string,
      expect.stringContaining('Credential=AKIDEX') as string,
      'Bearer env-key',
    ])
    expect(requests.map(({ headers }) => headers.get('x-amz-security-token'))).toEqual([null, 'st', null])
  })

  it('createBedrockPlatform rejects two kinds of keys and an invalid region', () => {
    expect(() => createBedrockPlatform({ apiKey: 'k', credentials: keys })).toThrow(/must be left out/)
    expect(() => createBedrockPlatform({ apiKey: 'k', region: 'evil.example/' })).toThrow(/region/)
  })
})

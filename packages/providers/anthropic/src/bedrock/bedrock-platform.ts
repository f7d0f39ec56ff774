import { ParleyError } from '@parley/core'
import { readEnvironment, withBearer, type HttpFetch, type Secret } from '@parley/provider-kit'
import type { AnthropicPlatform } from '../platform/anthropic-platform.ts'
import { encodePathSegment } from '../platform/encode-path-segment.ts'
import type { AwsCredentials } from './aws-credentials.ts'
import { signRequest } from './sign-request.ts'
import { toServerSent } from './to-server-sent.ts'

export interface BedrockPlatformOptions {
  /** @default AWS_REGION, else 'us-east-1' */
  readonly region?: string | undefined
  /** A key of Bedrock, or what gives one for each request. @default AWS_BEARER_TOKEN_BEDROCK, unless `credentials` are given */
  readonly apiKey?: Secret | undefined
  /**
   * Keys of AWS, or what gives them for each request, which is then signed.
   * @default AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN
   */
  readonly credentials?: AwsCredentials | (() => AwsCredentials | Promise<AwsCredentials>) | undefined
  /** Milliseconds since the epoch, for signatures. @default Date.now */
  readonly now?: (() => number) | undefined
}

/**
 * Claude on Amazon Bedrock, for `createAnthropic({ platform })`. Models have the ids of Bedrock, of inference profiles, or ARNs.
 * @throws `config-invalid` for a region that is none, both kinds of keys, or none.
 */
export function bedrockPlatform({
  region = readEnvironment('AWS_REGION') ?? 'us-east-1',
  credentials,
  apiKey = credentials === undefined ? readEnvironment('AWS_BEARER_TOKEN_BEDROCK') : undefined,
  now = Date.now,
}: BedrockPlatformOptions = {}): AnthropicPlatform {
  if (!/^[a-z0-9-]+$/.test(region)) throw invalid('region', `'${region}' is no region of AWS.`)
  if (apiKey !== undefined && credentials !== undefined)
    throw invalid('credentials', 'Give either an apiKey or credentials.')
  const keys = credentials ?? environmentCredentials()
  const authorize =
    apiKey !== undefined
      ? (fetch: HttpFetch) => withBearer(fetch, apiKey)
      : keys === undefined
        ? undefined
        : (fetch: HttpFetch) => withSignature(fetch, { keys, region, now })
  if (authorize === undefined)
    throw invalid('credentials', 'Give an apiKey or credentials, or set AWS_BEARER_TOKEN_BEDROCK or AWS_ACCESS_KEY_ID.')
  return {
    baseUrl: `https://bedrock-runtime.${region}.amazonaws.com`,
    pathOf: ({ model, stream }) =>
      `model/${encodePathSegment(model)}/${stream ? 'invoke-with-response-stream' : 'invoke'}`,
    version: 'bedrock-2023-05-31',
    streamInBody: false,
    betasInBody: true,
    wrapFetch(fetch) {
      const authorized = authorize(fetch)
      return async (url, request) => toServerSent(await authorized(url, request))
    },
  }
}

interface SignatureOptions {
  readonly keys: NonNullable<BedrockPlatformOptions['credentials']>
  readonly region: string
  readonly now: () => number
}

function withSignature(fetch: HttpFetch, { keys, region, now }: SignatureOptions): HttpFetch {
  return async (url, request) => {
    if (request.headers.has('authorization')) return await fetch(url, request)
    const credentials = typeof keys === 'function' ? await keys() : keys
    const signable = { method: request.method, url, headers: request.headers, body: request.body ?? '' }
    const headers = await signRequest(signable, { credentials, region, service: 'bedrock', now: now() })
    return await fetch(url, { ...request, headers })
  }
}

function environmentCredentials(): AwsCredentials | undefined {
  const accessKeyId = readEnvironment('AWS_ACCESS_KEY_ID')
  const secretAccessKey = readEnvironment('AWS_SECRET_ACCESS_KEY')
  if (accessKeyId === undefined || secretAccessKey === undefined) return undefined
  return { accessKeyId, secretAccessKey, sessionToken: readEnvironment('AWS_SESSION_TOKEN') }
}

function invalid(path: string, detail: string): ParleyError {
  return new ParleyError({ code: 'config-invalid', path: `platform.${path}`, detail })
}

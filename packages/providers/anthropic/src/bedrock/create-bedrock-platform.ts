import { checkOptions, ParleyError, type OptionKinds } from '@parley/core'
import { readEnvironment, withBearer, type HttpFetch, type Secret } from '@parley/provider-kit'
import { encodePathSegment, type AnthropicPlatform } from '../platform/anthropic-platform.ts'
import { signRequest, type AwsCredentials } from './sign-request.ts'
import { toServerSent } from './to-server-sent.ts'

export interface BedrockPlatformOptions {
  /** Region of AWS. @default AWS_REGION, else 'us-east-1' */
  readonly region?: string | undefined
  /** A Bedrock API key, or a function that returns the current one. @default AWS_BEARER_TOKEN_BEDROCK, unless `credentials` are given */
  readonly apiKey?: Secret | undefined
  /**
   * Credentials of AWS with which requests are signed, or a function that returns the current ones for each request.
   * @default AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN
   */
  readonly credentials?: AwsCredentials | (() => AwsCredentials | Promise<AwsCredentials>) | undefined
  /** Returns milliseconds since the epoch, for signatures. @default Date.now */
  readonly now?: (() => number) | undefined
}

const OPTIONS: OptionKinds<BedrockPlatformOptions> = {
  region: 'string',
  apiKey: 'string or function',
  credentials: 'object or function',
  now: 'function',
}

/**
 * Creates the platform for Claude on Amazon Bedrock. Pass it to `createAnthropic({ platform })`. Model ids are those of
 * Bedrock or of inference profiles, or ARNs.
 * @throws `config-invalid` if the region is invalid, or if neither or both of `apiKey` and `credentials` are given.
 */
export function createBedrockPlatform(options: BedrockPlatformOptions = {}): AnthropicPlatform {
  checkOptions('createBedrockPlatform', options, OPTIONS)
  const {
    region = readEnvironment('AWS_REGION') ?? 'us-east-1',
    credentials,
    apiKey = credentials === undefined ? readEnvironment('AWS_BEARER_TOKEN_BEDROCK') : undefined,
    now = Date.now,
  } = options
  if (!/^[a-z0-9-]+$/.test(region))
    throw invalid('region', `'${region}' must consist of lowercase letters, digits and hyphens`)
  if (apiKey !== undefined && credentials !== undefined)
    throw invalid('credentials', 'must be left out; apiKey is given')
  const keys = credentials ?? environmentCredentials()
  const authorize =
    apiKey !== undefined
      ? (fetch: HttpFetch) => withBearer(fetch, apiKey)
      : keys === undefined
        ? undefined
        : (fetch: HttpFetch) => withSignature(fetch, { keys, region, now })
  if (authorize === undefined)
    throw invalid(
      'credentials',
      'is required; pass apiKey or credentials, or set AWS_BEARER_TOKEN_BEDROCK or AWS_ACCESS_KEY_ID',
    )
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

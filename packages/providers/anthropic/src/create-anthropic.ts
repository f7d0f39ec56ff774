import { ParleyError, type Model, type ModelInfo, type ModelProvider } from '@parley/core'
import {
  createEncodingCache,
  createHttp,
  type HttpFetch,
  platformFetch,
  randomCallId,
  readEnvironment,
  type RetryOptions,
  type Timeouts,
} from '@parley/provider-kit'
import type { AnthropicPlatform } from './platform/anthropic-platform.ts'
import { createMessagesDecoder } from './answer/create-messages-decoder.ts'
import { createTurnEncoder } from './request/create-turn-encoder.ts'
import { envelopeOf } from './platform/envelope-of.ts'
import { infoOfModel } from './models/info-of-model.ts'
import { listModels, type ListedModel } from './models/list-models.ts'
import { rulesOfModel, type ModelRules } from './models/model-rules.ts'
import { createRefuse } from './refuse.ts'
import { encodeMessagesTool, encodeStrictTool, toMessagesRequest } from './request/to-messages-request.ts'

const ANTHROPIC_URL = 'https://api.anthropic.com/v1'

/** What is known about a model, and what it takes when its id does not tell. */
export interface AnthropicModelInfo extends ModelInfo {
  /** @default by the model's id */
  readonly rules?: ModelRules | undefined
}

export interface AnthropicOptions {
  /**
   * Sent as `x-api-key`. The key of the environment goes to Anthropic only, and to the address `ANTHROPIC_BASE_URL` names.
   * @default ANTHROPIC_API_KEY
   */
  readonly apiKey?: string | undefined
  /** Address of the API, up to where `/messages` is added. @default ANTHROPIC_BASE_URL with `/v1`, else `https://api.anthropic.com/v1` */
  readonly baseUrl?: string | undefined
  /** `Model.provider` of the models, and the key of their provider options. @default 'anthropic' */
  readonly name?: string | undefined
  /**
   * Who serves it in Anthropic's place: `vertexPlatform` of `@parley/anthropic/vertex`, `bedrockPlatform` of
   * `@parley/anthropic/bedrock`. It has an address and authorization of its own; it lists no models. @default Anthropic
   */
  readonly platform?: AnthropicPlatform | undefined
  /** The version of the API that is spoken. @default '2023-06-01', or what the platform calls it */
  readonly version?: string | undefined
  /** Beta features to use. @default [] */
  readonly betas?: readonly string[] | undefined
  /** More headers for each request. @default {} */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** `json` asks for answers in one piece, for gateways that cannot stream. @default 'stream' */
  readonly wire?: 'stream' | 'json' | undefined
  /** @default {} */
  readonly timeouts?: Timeouts | undefined
  /** @default {} */
  readonly retry?: RetryOptions | undefined
  /** Facts about models, by id; they replace the built-in ones. What a platform charges is not built in. @default {} */
  readonly models?: Readonly<Record<string, AnthropicModelInfo>> | undefined
  /** Makes the requests. @default platformFetch() of `@parley/provider-kit` */
  readonly fetch?: HttpFetch | undefined
  /** Makes the id of a tool call that came without one, as those of servers that imitate the API may. @default random */
  readonly createCallId?: (() => string) | undefined
}

export interface AnthropicProvider extends ModelProvider {
  /** The models the server offers. @throws `ParleyError` with a `model-…` code, or `signal.reason`. */
  listModels(options?: { readonly signal?: AbortSignal | undefined }): Promise<readonly ListedModel[]>
}

/** The most a document may hold: beyond that, it may take longer to write than connections live. */
const LONGEST_DOCUMENT = 21_333

/**
 * Claude by the Messages API, and any server of its shape.
 * @throws `config-invalid` for a base URL that is none, for a missing key where Anthropic itself is asked, and for a key
 * beside a platform.
 */
export function createAnthropic({
  platform,
  baseUrl = platform?.baseUrl ?? environmentUrl() ?? ANTHROPIC_URL,
  apiKey = platform === undefined ? defaultKey(baseUrl) : undefined,
  name = 'anthropic',
  version = platform?.version ?? '2023-06-01',
  betas = [],
  headers = {},
  wire = 'stream',
  timeouts,
  retry,
  models = {},
  fetch = platformFetch(),
  createCallId = randomCallId,
}: AnthropicOptions = {}): AnthropicProvider {
  checkKey({ apiKey, baseUrl, headers, platform })
  const http = createHttp({
    provider: name,
    baseUrl,
    headers: { ...headersOf({ apiKey, version, betas, platform }), ...headers },
    fetch: platform === undefined ? fetch : platform.wrapFetch(fetch),
    timeouts,
    retry,
  })
  const encoders = {
    encodeTool: createEncodingCache(encodeMessagesTool),
    encodeStrictTool: createEncodingCache(encodeStrictTool),
  }
  const interleaved = betas.some(beta => beta.startsWith('interleaved-thinking'))
  const stream = wire === 'stream'

  function model(id: string): Model {
    const info: AnthropicModelInfo = models[id] ?? infoOfModel(id, platform)
    const { maxOutputTokens: outputCap, rules: ownRules = rulesOfModel(id) } = info
    const { defaultOutputTokens } = ownRules
    const rules = stream
      ? ownRules
      : { ...ownRules, defaultOutputTokens: Math.min(defaultOutputTokens, LONGEST_DOCUMENT) }
    const refuse = createRefuse(name, id)
    const encodeTurns = createTurnEncoder({ provider: name, model: id, refuse })
    const envelope = envelopeOf({ platform, version, betas, model: id, stream })
    const fixed = { provider: name, envelope, rules, refuse, outputCap, interleaved, encodeTurns, ...encoders }
    return {
      provider: name,
      id,
      info,
      stream: (request, { signal, retry: override }) =>
        http.stream({
          path: platform?.pathOf({ model: id, stream }) ?? 'messages',
          model: id,
          format: stream ? 'sse' : 'json',
          body: () => toMessagesRequest(request, fixed),
          createDecoder: context => createMessagesDecoder({ context, provider: name, createCallId }),
          signal,
          retry: override,
        }),
    }
  }

  return {
    name,
    model,
    async listModels({ signal } = {}) {
      if (platform === undefined) return await listModels(http, signal)
      throw new ParleyError({ code: 'model-unsupported', provider: name, detail: 'This platform lists no models.' })
    },
  }
}

interface KeyFacts extends Pick<AnthropicOptions, 'apiKey' | 'platform'> {
  readonly baseUrl: string
  readonly headers: Readonly<Record<string, string>>
}

function checkKey({ apiKey, baseUrl, headers, platform }: KeyFacts): void {
  const refuse = (detail: string): ParleyError => new ParleyError({ code: 'config-invalid', path: 'apiKey', detail })
  if (platform !== undefined && apiKey !== undefined) throw refuse('The platform has keys of its own. Leave it out.')
  if (platform !== undefined || apiKey !== undefined || !isAnthropic(baseUrl)) return
  if (!Object.keys(headers).some(isAuthorization)) throw refuse('Give an apiKey or set ANTHROPIC_API_KEY.')
}

interface HeaderFacts extends Pick<AnthropicOptions, 'apiKey' | 'platform'> {
  readonly version: string
  readonly betas: readonly string[]
}

function headersOf({ apiKey, version, betas, platform }: HeaderFacts): Record<string, string> {
  return {
    // Keys pasted from a file bring their line end along.
    ...(apiKey === undefined ? {} : { 'x-api-key': apiKey.trim() }),
    ...(platform === undefined ? { 'anthropic-version': version } : {}),
    ...(betas.length === 0 ? {} : { 'anthropic-beta': betas.join(',') }),
  }
}

/** The variable is set for Anthropic's own clients, which add the version of the API themselves. */
function environmentUrl(): string | undefined {
  const url = readEnvironment('ANTHROPIC_BASE_URL')?.replace(/\/+$/, '')
  return url === undefined || url.endsWith('/v1') ? url : `${url}/v1`
}

function defaultKey(baseUrl: string): string | undefined {
  return isAnthropic(baseUrl) || baseUrl === environmentUrl() ? readEnvironment('ANTHROPIC_API_KEY') : undefined
}

function isAnthropic(baseUrl: string): boolean {
  return URL.canParse(baseUrl) && /(^|\.)anthropic\.com$/.test(new URL(baseUrl).hostname)
}

function isAuthorization(header: string): boolean {
  return header.toLowerCase() === 'authorization'
}

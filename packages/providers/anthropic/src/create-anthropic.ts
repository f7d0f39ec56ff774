import {
  ParleyError,
  type Model,
  type ModelInfo,
  type ModelProvider,
  checkOptions,
  type OptionKinds,
} from '@parley/core'
import {
  PROVIDER_OPTIONS,
  connectProvider,
  createEncodingCache,
  createHttpModel,
  createRefuse,
  listModels,
  readEnvironment,
  type ModelListing,
  type ProviderConnection,
  type ProviderOptions,
} from '@parley/provider-kit'
import { createMessagesDecoder } from './answer/create-messages-decoder.ts'
import { infoOfModel } from './models/known-models.ts'
import { anthropicModelList } from './models/model-list.ts'
import { rulesOfModel, type ModelRules } from './models/model-rules.ts'
import { envelopeOf, type AnthropicPlatform } from './platform/anthropic-platform.ts'
import { createTurnEncoder } from './request/create-turn-encoder.ts'
import { encodeMessagesTool, encodeStrictTool, toMessagesRequest } from './request/to-messages-request.ts'

const ANTHROPIC_URL = 'https://api.anthropic.com/v1'

/** Facts about a model. */
export interface AnthropicModelInfo extends ModelInfo {
  /**
   * Which settings the model supports. Set it for ids that do not name a known family of models.
   * @default rulesOfModel(id)
   */
  readonly rules?: ModelRules | undefined
}

export interface AnthropicOptions extends ProviderOptions<AnthropicModelInfo> {
  /**
   * API key, sent as `x-api-key`. Not needed if `headers` contain `authorization`. The key of the environment is sent
   * only to Anthropic and to the address in `ANTHROPIC_BASE_URL`. @default ANTHROPIC_API_KEY
   */
  readonly apiKey?: string | undefined
  /**
   * Address of the API, to which `/messages` is added.
   * @default ANTHROPIC_BASE_URL with `/v1`, else `https://api.anthropic.com/v1`
   */
  readonly baseUrl?: string | undefined
  /** Sets `Model.provider` and the key of `settings.providerOptions`. @default 'anthropic' */
  readonly name?: string | undefined
  /**
   * The service that serves Claude instead of Anthropic: `createVertexPlatform` of `@parley/anthropic/vertex` or `createBedrockPlatform` of
   * `@parley/anthropic/bedrock`. A platform has its own address and authorization, and cannot list models. @default Anthropic
   */
  readonly platform?: AnthropicPlatform | undefined
  /** Version of the API. @default '2023-06-01', or the version of the platform */
  readonly version?: string | undefined
  /** Names of beta features to use, sent as the header `anthropic-beta`. @default [] */
  readonly betas?: readonly string[] | undefined
  /**
   * Facts about models, by id. An entry replaces the built-in facts about that model. The prices of platforms are not built in.
   * @default {}
   */
  readonly models?: Readonly<Record<string, AnthropicModelInfo>> | undefined
}

export interface AnthropicProvider extends ModelProvider, ModelListing {}

/**
 * The API version that requests name by default. It is not the newest one, for two reasons
 * (docs/decisions/0012-anthropic-version.md). Version 2026-10-21 removes `temperature`, `top_p` and `top_k`, which
 * models such as Claude Haiku 4.5 accept. Compatible servers know only this version. Anthropic keeps the parameters of
 * a published version.
 */
const DEFAULT_VERSION = '2023-06-01'

/**
 * Largest number of output tokens in an answer that is one document. A longer answer could take longer than a
 * connection stays open.
 */
const LONGEST_DOCUMENT = 21_333

const OPTIONS: OptionKinds<AnthropicOptions> = {
  ...PROVIDER_OPTIONS,
  platform: 'object',
  version: 'string',
  betas: 'strings',
}

/**
 * Creates a provider for Claude, with the Messages API, and for any server with this API.
 * @throws `config-invalid` if the base URL is invalid, if the key for Anthropic's own address is missing, or if `apiKey` and
 * `platform` are both given.
 */
export function createAnthropic(options: AnthropicOptions = {}): AnthropicProvider {
  checkOptions('createAnthropic', options, OPTIONS)
  const { platform, version = platform?.version ?? DEFAULT_VERSION, betas = [] } = options
  const connection = connectAnthropic(options, { version, betas })
  const { name, http } = connection
  return {
    name,
    model: createClaudeModels(connection, { platform, version, betas }),
    async listModels({ signal } = {}) {
      if (platform === undefined) return await listModels(http, anthropicModelList, signal)
      throw createRefuse({ provider: name })('This platform cannot list models.')
    },
  }
}

interface ApiFeatures {
  readonly version: string
  readonly betas: readonly string[]
}

function connectAnthropic(
  options: AnthropicOptions,
  { version, betas }: ApiFeatures,
): ProviderConnection<AnthropicModelInfo> {
  const { platform, apiKey } = options
  const fromEnvironment = environmentUrl()
  const { baseUrl = platform?.baseUrl ?? fromEnvironment ?? ANTHROPIC_URL } = options
  if (platform !== undefined && apiKey !== undefined)
    throw new ParleyError({
      code: 'config-invalid',
      path: 'apiKey',
      detail: 'must be left out; platform has its own keys',
    })
  const isOfficial = platform === undefined && isAnthropic(baseUrl)
  const isOwn = isOfficial || (platform === undefined && baseUrl === fromEnvironment)
  return connectProvider(options, {
    factory: 'createAnthropic',
    name: 'anthropic',
    baseUrl,
    keyHeader: 'x-api-key',
    keyVariables: isOwn ? ['ANTHROPIC_API_KEY'] : [],
    requiresKey: isOfficial,
    headers: {
      ...(platform === undefined ? { 'anthropic-version': version } : {}),
      ...(betas.length === 0 ? {} : { 'anthropic-beta': betas.join(',') }),
    },
    wrapFetch: platform?.wrapFetch,
    infoOf: id => infoOfModel(id, platform),
  })
}

/** Returns a function that creates models which answer at `POST /messages`, or at the path of the platform. */
function createClaudeModels(
  connection: ProviderConnection<AnthropicModelInfo>,
  { platform, version, betas }: ApiFeatures & { readonly platform: AnthropicPlatform | undefined },
): (id: string) => Model {
  const { name: provider, wire, createCallId, infoOf } = connection
  const encodeTool = createEncodingCache(encodeMessagesTool)
  const encodeStrict = createEncodingCache(encodeStrictTool)
  const interleaved = betas.some(beta => beta.startsWith('interleaved-thinking'))
  const stream = wire === 'stream'
  return id => {
    const { maxOutputTokens: outputCap, rules = rulesOfModel(id) } = infoOf(id)
    const { defaultOutputTokens } = rules
    const refuse = createRefuse({ provider, model: id })
    const options = {
      provider,
      envelope: envelopeOf({ platform, version, betas, model: id, stream }),
      rules: stream ? rules : { ...rules, defaultOutputTokens: Math.min(defaultOutputTokens, LONGEST_DOCUMENT) },
      refuse,
      outputCap,
      interleaved,
      encodeTurns: createTurnEncoder({ provider, model: id, refuse }),
      encodeTool,
      encodeStrictTool: encodeStrict,
    }
    return createHttpModel(connection, {
      id,
      path: platform?.pathOf({ model: id, stream }) ?? 'messages',
      encode: request => toMessagesRequest(request, options),
      createDecoder: context => createMessagesDecoder({ context, provider, createCallId }),
    })
  }
}

/** Returns `ANTHROPIC_BASE_URL` with `/v1`: users set the variable for Anthropic's own clients, which add `/v1` themselves. */
function environmentUrl(): string | undefined {
  const url = readEnvironment('ANTHROPIC_BASE_URL')?.replace(/\/+$/, '')
  return url === undefined || url.endsWith('/v1') ? url : `${url}/v1`
}

function isAnthropic(baseUrl: string): boolean {
  return URL.canParse(baseUrl) && /(^|\.)anthropic\.com$/.test(new URL(baseUrl).hostname)
}

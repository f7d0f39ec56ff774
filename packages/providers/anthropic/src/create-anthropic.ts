import { ParleyError, type Model, type ModelInfo, type ModelProvider } from '@parley/core'
import {
  createEncodingCache,
  createHttp,
  type HttpFetch,
  readEnvironment,
  type RetryOptions,
  type Timeouts,
} from '@parley/provider-kit'
import { createMessagesDecoder } from './create-messages-decoder.ts'
import { createTurnEncoder } from './create-turn-encoder.ts'
import { knownModels } from './known-models.ts'
import { listModels, type ListedModel } from './list-models.ts'
import { rulesOfModel, type ModelRules } from './model-rules.ts'
import { createRefuse } from './refuse.ts'
import { encodeMessagesTool, toMessagesRequest } from './to-messages-request.ts'

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
  /** Sent as `anthropic-version`. @default '2023-06-01' */
  readonly version?: string | undefined
  /** Sent as `anthropic-beta`. @default [] */
  readonly betas?: readonly string[] | undefined
  /** More headers for each request. @default {} */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** `json` asks for answers in one piece, for gateways that cannot stream. @default 'stream' */
  readonly wire?: 'stream' | 'json' | undefined
  /** @default {} */
  readonly timeouts?: Timeouts | undefined
  /** @default {} */
  readonly retry?: RetryOptions | undefined
  /** Facts about models, by id; they replace the built-in ones. @default {} */
  readonly models?: Readonly<Record<string, AnthropicModelInfo>> | undefined
  /** Makes the requests; `createUndiciFetch` of `@parley/provider-kit/undici` does it in less time. @default globalThis.fetch */
  readonly fetch?: HttpFetch | undefined
}

export interface AnthropicProvider extends ModelProvider {
  /** The models the server offers. @throws `ParleyError` with a `model-…` code, or `signal.reason`. */
  listModels(options?: { readonly signal?: AbortSignal | undefined }): Promise<readonly ListedModel[]>
}

/**
 * Claude by the Messages API, and any server of its shape.
 * @throws `config-invalid` for a base URL that is none, and for a missing key where Anthropic itself is asked.
 */
export function createAnthropic({
  baseUrl = environmentUrl() ?? ANTHROPIC_URL,
  apiKey = defaultKey(baseUrl),
  name = 'anthropic',
  version = '2023-06-01',
  betas = [],
  headers = {},
  wire = 'stream',
  timeouts,
  retry,
  models = {},
  fetch,
}: AnthropicOptions = {}): AnthropicProvider {
  if (apiKey === undefined && isAnthropic(baseUrl) && !Object.keys(headers).some(isAuthorization))
    throw new ParleyError({
      code: 'config-invalid',
      path: 'apiKey',
      detail: 'Give an apiKey or set ANTHROPIC_API_KEY.',
    })
  const http = createHttp({
    provider: name,
    baseUrl,
    headers: {
      // Keys pasted from a file bring their line end along.
      ...(apiKey === undefined ? {} : { 'x-api-key': apiKey.trim() }),
      'anthropic-version': version,
      ...(betas.length === 0 ? {} : { 'anthropic-beta': betas.join(',') }),
      ...headers,
    },
    fetch,
    timeouts,
    retry,
  })
  const encodeTool = createEncodingCache(encodeMessagesTool)
  const interleaved = betas.some(beta => beta.startsWith('interleaved-thinking'))
  const stream = wire === 'stream'

  function model(id: string): Model {
    const info: AnthropicModelInfo = models[id] ?? knownModels[id] ?? {}
    const { maxOutputTokens: outputCap, rules = rulesOfModel(id) } = info
    const refuse = createRefuse(name, id)
    const encodeTurns = createTurnEncoder({ provider: name, model: id, refuse })
    const fixed = { provider: name, model: id, rules, refuse, outputCap, interleaved, stream, encodeTurns, encodeTool }
    return {
      provider: name,
      id,
      info,
      stream: (request, { signal, retry: override }) =>
        http.stream({
          path: 'messages',
          model: id,
          format: stream ? 'sse' : 'json',
          body: () => toMessagesRequest(request, fixed),
          createDecoder: context => createMessagesDecoder({ context, provider: name }),
          signal,
          retry: override,
        }),
    }
  }

  return { name, model, listModels: ({ signal } = {}) => listModels(http, signal) }
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

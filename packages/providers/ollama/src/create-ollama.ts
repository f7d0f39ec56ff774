import { ParleyError, type Model, type ModelInfo, type ModelProvider } from '@parley/core'
import {
  createEncodingCache,
  createHttp,
  type EmbedRequest,
  type HttpFetch,
  readEnvironment,
  type RetryOptions,
  randomCallId,
  type Timeouts,
} from '@parley/provider-kit'
import { createChatDecoder } from './create-chat-decoder.ts'
import { createMessageEncoder } from './create-message-encoder.ts'
import { defaultBaseUrl } from './default-base-url.ts'
import { embed } from './embed.ts'
import { listModels, type ListedModel } from './list-models.ts'
import { encodeOllamaTool, toChatRequest } from './to-chat-request.ts'

export interface OllamaOptions {
  /** Address of the server, up to where `/api/chat` is added. @default OLLAMA_HOST, else `http://127.0.0.1:11434` */
  readonly baseUrl?: string | undefined
  /** For Ollama's cloud or a proxy. A key from the environment goes to ollama.com only. @default OLLAMA_API_KEY */
  readonly apiKey?: string | undefined
  /**
   * Tokens the model reads and writes in one conversation, sent as `num_ctx`; more of them take more memory. Without
   * it the server chooses, often no more than 4096, whatever the model could do.
   */
  readonly contextWindow?: number | undefined
  /**
   * What happens to a conversation longer than that. `fail` asks for an error, which servers of before late 2025 do
   * not know; `truncate` lets the server drop the oldest messages, of which it says nothing. @default 'fail'
   */
  readonly overflow?: 'fail' | 'truncate' | undefined
  /** How long the model stays in memory after a call, as `'10m'` or in seconds; -1 for ever. @default the server's */
  readonly keepAlive?: string | number | undefined
  /** `Model.provider` of the models, and the key of their provider options. @default 'ollama' */
  readonly name?: string | undefined
  /** More headers for each request. @default {} */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** `json` asks for answers in one piece. @default 'stream' */
  readonly wire?: 'stream' | 'json' | undefined
  /** Loading a model counts as connecting. @default { connectMs: 300_000 } */
  readonly timeouts?: Timeouts | undefined
  /** @default {} */
  readonly retry?: RetryOptions | undefined
  /** Facts about models, by id. @default {} */
  readonly models?: Readonly<Record<string, ModelInfo>> | undefined
  /** Makes the requests. @default platformFetch() of `@parley/provider-kit` */
  readonly fetch?: HttpFetch | undefined
  /** Makes the id of a tool call that came without one. @default random */
  readonly createCallId?: (() => string) | undefined
}

export interface OllamaProvider extends ModelProvider {
  /**
   * A vector for each text, in their order. A text that is longer than the model reads is handled as `overflow` says.
   * @throws `ParleyError` with a `model-…` code, or `signal.reason`.
   */
  embed(request: EmbedRequest): Promise<readonly (readonly number[])[]>
  /** The models the server has. @throws `ParleyError` with a `model-…` code, or `signal.reason`. */
  listModels(options?: { readonly signal?: AbortSignal | undefined }): Promise<readonly ListedModel[]>
}

/**
 * Models behind Ollama's own chat API.
 * @throws `config-invalid` for a base URL or a context window that is none.
 */
export function createOllama({
  baseUrl = defaultBaseUrl(),
  apiKey = isCloud(baseUrl) ? readEnvironment('OLLAMA_API_KEY') : undefined,
  contextWindow,
  overflow = 'fail',
  keepAlive,
  name = 'ollama',
  headers = {},
  wire = 'stream',
  timeouts = {},
  retry,
  models = {},
  fetch,
  createCallId = randomCallId,
}: OllamaOptions = {}): OllamaProvider {
  if (contextWindow !== undefined && !(Number.isInteger(contextWindow) && contextWindow > 0))
    throw new ParleyError({
      code: 'config-invalid',
      path: 'contextWindow',
      detail: `${contextWindow} is no number of tokens.`,
    })
  const key = apiKey?.trim() ?? ''
  const http = createHttp({
    provider: name,
    baseUrl,
    headers: { ...(key === '' ? {} : { authorization: `Bearer ${key}` }), ...headers },
    fetch,
    timeouts: { connectMs: 300_000, ...timeouts },
    retry,
  })
  const encodeTool = createEncodingCache(encodeOllamaTool)
  const encodeMessages = createMessageEncoder({ provider: name })
  const stream = wire === 'stream'
  const fitsIn = overflow === 'fail' ? contextWindow : undefined
  const common = { provider: name, stream, contextWindow, overflow, keepAlive, encodeMessages, encodeTool }

  function model(id: string): Model {
    return {
      provider: name,
      id,
      info: { ...(contextWindow === undefined ? {} : { contextWindow }), ...models[id] },
      stream: (request, { signal, retry: override }) =>
        http.stream({
          path: 'api/chat',
          model: id,
          format: stream ? 'ndjson' : 'json',
          body: () => toChatRequest(request, { ...common, model: id }),
          createDecoder: context => createChatDecoder({ context, provider: name, createCallId, fitsIn }),
          signal,
          retry: override,
        }),
    }
  }

  return {
    name,
    model,
    embed: request => embed(http, request, { provider: name, contextWindow, overflow, keepAlive }),
    listModels: ({ signal } = {}) => listModels(http, signal),
  }
}

function isCloud(baseUrl: string): boolean {
  return URL.canParse(baseUrl) && /(^|\.)ollama\.com$/.test(new URL(baseUrl).hostname)
}

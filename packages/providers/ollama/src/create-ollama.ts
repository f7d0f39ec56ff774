import {
  checkCount,
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
  listModels,
  type Embeddings,
  type ModelListing,
  type ProviderConnection,
  type ProviderOptions,
  type Timeouts,
} from '@parley/provider-kit'
import { createChatDecoder } from './create-chat-decoder.ts'
import { createMessageEncoder } from './create-message-encoder.ts'
import { defaultBaseUrl } from './default-base-url.ts'
import { embed } from './embed.ts'
import { ollamaModelList } from './model-list.ts'
import { encodeOllamaTool, toChatRequest } from './to-chat-request.ts'

export interface OllamaOptions extends ProviderOptions {
  /** Address of the server, to which `/api/chat` is added. @default OLLAMA_HOST, else `http://127.0.0.1:11434` */
  readonly baseUrl?: string | undefined
  /** Key for Ollama's cloud or a proxy. A key from the environment is sent only to ollama.com. @default OLLAMA_API_KEY */
  readonly apiKey?: string | undefined
  /** Sets `Model.provider` and the key of `settings.providerOptions`. @default 'ollama' */
  readonly name?: string | undefined
  /**
   * Number of tokens of a whole conversation, input and output together, sent as `num_ctx`. A larger window needs more
   * memory.
   * @default chosen by the server, often 4096, even for models that support more
   */
  readonly contextWindow?: number | undefined
  /**
   * What happens to a conversation that is longer than the context window. `fail` requests an error; servers before late 2025
   * ignore that request. With `truncate` the server drops the oldest messages without notice. @default 'fail'
   */
  readonly overflow?: 'fail' | 'truncate' | undefined
  /**
   * How long the model stays in memory after a call: `'10m'`, a number of seconds, or -1 to keep it forever.
   * @default the server's own
   */
  readonly keepAlive?: string | number | undefined
  /** Deadlines of each call. The time to load a model counts as connecting. @default { connectMs: 300_000 } */
  readonly timeouts?: Timeouts | undefined
}

/**
 * A provider for Ollama. `listModels` returns the models on the server's disk. For a text that is longer than the
 * context window, `embed` follows the option `overflow`.
 */
export interface OllamaProvider extends ModelProvider, Embeddings, ModelListing {}

const OPTIONS: OptionKinds<OllamaOptions> = {
  ...PROVIDER_OPTIONS,
  contextWindow: 'number',
  overflow: ['fail', 'truncate'],
  keepAlive: 'string or number',
}

/**
 * Creates a provider for Ollama's native chat API.
 * @throws `config-invalid` if the base URL is invalid, or if the context window is not a positive integer.
 */
export function createOllama(options: OllamaOptions = {}): OllamaProvider {
  checkOptions('createOllama', options, OPTIONS)
  const { baseUrl = defaultBaseUrl(), contextWindow, overflow = 'fail', keepAlive } = options
  checkCount({ contextWindow }, '')
  const connection = connectProvider(options, {
    factory: 'createOllama',
    name: 'ollama',
    baseUrl,
    keyVariables: isCloud(baseUrl) ? ['OLLAMA_API_KEY'] : [],
    timeouts: { connectMs: 300_000 },
  })
  const { name: provider, http } = connection
  return {
    name: provider,
    model: createOllamaModels(connection, { contextWindow, overflow, keepAlive }),
    embed: request => embed(http, request, { provider, contextWindow, overflow, keepAlive }),
    listModels: ({ signal } = {}) => listModels(http, ollamaModelList, signal),
  }
}

interface ServerSettings {
  readonly contextWindow: number | undefined
  readonly overflow: 'fail' | 'truncate'
  readonly keepAlive: string | number | undefined
}

function createOllamaModels(connection: ProviderConnection, settings: ServerSettings): (id: string) => Model {
  const { name: provider, wire, createCallId, infoOf } = connection
  const { contextWindow, overflow } = settings
  const encodeTool = createEncodingCache(encodeOllamaTool)
  const encodeMessages = createMessageEncoder({ provider })
  const common = { ...settings, provider, stream: wire === 'stream', encodeMessages, encodeTool }
  const requested: ModelInfo = contextWindow === undefined ? {} : { contextWindow }
  const fitsIn = overflow === 'fail' ? contextWindow : undefined
  return id =>
    createHttpModel(connection, {
      id,
      info: { ...requested, ...infoOf(id) },
      path: 'api/chat',
      framing: 'ndjson',
      encode: request => toChatRequest(request, { ...common, model: id }),
      createDecoder: context => createChatDecoder({ context, provider, createCallId, fitsIn }),
    })
}

function isCloud(baseUrl: string): boolean {
  return URL.canParse(baseUrl) && /(^|\.)ollama\.com$/.test(new URL(baseUrl).hostname)
}

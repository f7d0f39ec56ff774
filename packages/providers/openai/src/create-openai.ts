import { ParleyError, type ModelInfo, type ModelProvider } from '@parley/core'
import {
  createHttp,
  randomCallId,
  readEnvironment,
  type EmbedRequest,
  type HttpFetch,
  type RetryOptions,
  type Timeouts,
} from '@parley/provider-kit'
import { createChatModels } from './chat/create-chat-models.ts'
import { createResponsesModels } from './responses/create-responses-models.ts'
import { keyHeaderOf } from './quirks/key-header-of.ts'
import { knownModels } from './known-models.ts'
import { embed } from './endpoints/embed.ts'
import { generateImages, type GenerateImagesRequest } from './endpoints/generate-images.ts'
import { listModels, type ListedModel } from './endpoints/list-models.ts'
import { profileOfUrl, quirkProfiles, type QuirkProfileName } from './quirks/quirk-profiles.ts'
import type { Quirks } from './quirks/quirks.ts'

const OPENAI_URL = 'https://api.openai.com/v1'

export interface OpenAIOptions {
  /** Address of the API, up to where `/chat/completions` is added. @default OPENAI_BASE_URL, else `https://api.openai.com/v1` */
  readonly baseUrl?: string | undefined
  /**
   * Sent with each request. A key from the environment goes only to the service it belongs to: for a `baseUrl` of
   * another service, its own variable is read (`GROQ_API_KEY`, …), for an unknown one none.
   * @default OPENAI_API_KEY
   */
  readonly apiKey?: string | undefined
  /** `Model.provider` of the models, and the key of their provider options. @default the profile's name */
  readonly name?: string | undefined
  /** How the server differs: a profile's name, or the differences themselves. @default chosen by `baseUrl` */
  readonly quirks?: QuirkProfileName | Quirks | undefined
  /** Sent as `openai-organization`. */
  readonly organization?: string | undefined
  /** More headers for each request. @default {} */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Which of OpenAI's two APIs is spoken; most other servers know `chat` only. @default 'chat' */
  readonly api?: 'chat' | 'responses' | undefined
  /** `json` asks for answers in one piece, for servers whose streams cannot be trusted. @default 'stream' */
  readonly wire?: 'stream' | 'json' | undefined
  /** @default {} */
  readonly timeouts?: Timeouts | undefined
  /** @default {} */
  readonly retry?: RetryOptions | undefined
  /** Facts about models, by id; they replace the built-in ones. @default {} */
  readonly models?: Readonly<Record<string, ModelInfo>> | undefined
  /** Makes the requests. @default platformFetch() of `@parley/provider-kit` */
  readonly fetch?: HttpFetch | undefined
  /** Makes the id of a tool call that came without a usable one. @default random */
  readonly createCallId?: (() => string) | undefined
}

export interface OpenAIProvider extends ModelProvider {
  /** A vector for each text, in their order. @throws `ParleyError` with a `model-…` code, or `signal.reason`. */
  embed(request: EmbedRequest): Promise<readonly (readonly number[])[]>
  /**
   * Images made to a description: their addresses, or their bytes as base64, as the server gives them.
   * @throws `ParleyError` with a `model-…` code, or `signal.reason`.
   */
  generateImages(request: GenerateImagesRequest): Promise<readonly string[]>
  /** The models the server offers. @throws `ParleyError` with a `model-…` code, or `signal.reason`. */
  listModels(options?: { readonly signal?: AbortSignal | undefined }): Promise<readonly ListedModel[]>
}

/**
 * OpenAI, by chat completions or the Responses API, and any server of either shape.
 * @throws `config-invalid` for a base URL that is none, and for a missing key where OpenAI itself is asked.
 */
export function createOpenAI({
  baseUrl = readEnvironment('OPENAI_BASE_URL') ?? OPENAI_URL,
  quirks: chosen = profileOfUrl(baseUrl),
  apiKey = defaultKey(baseUrl, chosen),
  name = toQuirks(chosen).profile,
  organization,
  headers = {},
  api = 'chat',
  wire = 'stream',
  timeouts,
  retry,
  models = {},
  fetch,
  createCallId = randomCallId,
}: OpenAIOptions = {}): OpenAIProvider {
  const quirks = toQuirks(chosen)
  if (apiKey === undefined && profileOfUrl(baseUrl) === 'openai')
    throw new ParleyError({ code: 'config-invalid', path: 'apiKey', detail: 'Give an apiKey or set OPENAI_API_KEY.' })
  const http = createHttp({
    provider: name,
    baseUrl,
    headers: {
      ...keyHeaderOf(apiKey, quirks),
      ...(organization === undefined ? {} : { 'openai-organization': organization }),
      ...headers,
    },
    wordlessOverflow: quirks.wordlessOverflow,
    fetch,
    timeouts,
    retry,
  })
  const infoOf = (id: string): ModelInfo =>
    models[id] ?? (quirks.profile === 'openai' ? knownModels[id] : undefined) ?? {}
  const createModels = api === 'chat' ? createChatModels : createResponsesModels
  const createModel = createModels({ provider: name, quirks, wire, http, createCallId })
  return {
    name,
    model: id => createModel(id, infoOf(id)),
    embed: request => embed(http, name, request),
    generateImages: request => generateImages(http, name, request),
    listModels: ({ signal } = {}) => listModels(http, signal),
  }
}

function toQuirks(chosen: QuirkProfileName | Quirks): Quirks {
  return typeof chosen === 'string' ? quirkProfiles[chosen] : chosen
}

function defaultKey(baseUrl: string, chosen: QuirkProfileName | Quirks): string | undefined {
  // Not by the name of a profile: a proxy that behaves like OpenAI must not be handed OpenAI's key.
  const { keyVariable } = typeof chosen === 'object' ? chosen : quirkProfiles[profileOfUrl(baseUrl)]
  const key = keyVariable === undefined ? undefined : readEnvironment(keyVariable)
  if (key !== undefined) return key
  // OPENAI_BASE_URL and OPENAI_API_KEY are set as a pair.
  return baseUrl === readEnvironment('OPENAI_BASE_URL') ? readEnvironment('OPENAI_API_KEY') : undefined
}

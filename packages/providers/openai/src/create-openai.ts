import { checkOptions, type OptionKinds, type ModelProvider } from '@parley/core'
import {
  PROVIDER_OPTIONS,
  connectProvider,
  listModels,
  readEnvironment,
  type Embeddings,
  type ModelListing,
  type ProviderOptions,
} from '@parley/provider-kit'
import { createChatModels } from './chat/create-chat-models.ts'
import { embed } from './endpoints/embed.ts'
import { generateImages, type GenerateImagesRequest } from './endpoints/generate-images.ts'
import { openaiModelList } from './endpoints/model-list.ts'
import { knownModels } from './known-models.ts'
import { profileOfUrl, quirkProfiles, type QuirkProfileName } from './quirks/quirk-profiles.ts'
import type { Quirks } from './quirks/quirks.ts'
import { createResponsesModels } from './responses/create-responses-models.ts'

const OPENAI_URL = 'https://api.openai.com/v1'

export interface OpenAIOptions extends ProviderOptions {
  /**
   * Address of the API, to which `/chat/completions` or `/responses` is added.
   * @default OPENAI_BASE_URL, else `https://api.openai.com/v1`
   */
  readonly baseUrl?: string | undefined
  /**
   * API key, sent with each request. A key from the environment is sent only to the service it belongs to. For the
   * `baseUrl` of another known service, that service's variable is read (`GROQ_API_KEY`, …). For an unknown `baseUrl`,
   * no variable is read.
   * @default OPENAI_API_KEY
   */
  readonly apiKey?: string | undefined
  /** Sets `Model.provider` and the key of `settings.providerOptions`. @default the name of the profile */
  readonly name?: string | undefined
  /** How the server differs from OpenAI: the name of a profile, or the differences themselves. @default chosen by `baseUrl` */
  readonly quirks?: QuirkProfileName | Quirks | undefined
  /** Id of an organization, sent as the header `openai-organization`. @default none */
  readonly organization?: string | undefined
  /** Which of OpenAI's two APIs the models use. Most other servers support only `chat`. @default 'chat' */
  readonly api?: 'chat' | 'responses' | undefined
}

export interface OpenAIProvider extends ModelProvider, Embeddings, ModelListing {
  /**
   * Generates images from a description. Returns URLs or base64-encoded bytes, depending on the server.
   * @throws `ParleyError` with a `model-…` code, or `signal.reason`.
   */
  generateImages(request: GenerateImagesRequest): Promise<readonly string[]>
}

const OPTIONS: OptionKinds<OpenAIOptions> = {
  ...PROVIDER_OPTIONS,
  quirks: 'string or object',
  organization: 'string',
  api: ['chat', 'responses'],
}

/**
 * Creates a provider for OpenAI, with chat completions or the Responses API, and for any server with one of these APIs.
 * @throws `config-invalid` if the base URL is invalid, or if the key for OpenAI's own address is missing.
 */
export function createOpenAI(options: OpenAIOptions = {}): OpenAIProvider {
  checkOptions('createOpenAI', options, OPTIONS)
  const { baseUrl = readEnvironment('OPENAI_BASE_URL') ?? OPENAI_URL, organization, api = 'chat' } = options
  const byUrl = profileOfUrl(baseUrl)
  const { quirks: chosen = byUrl } = options
  const quirks = typeof chosen === 'string' ? quirkProfiles[chosen] : chosen
  const connection = connectProvider(options, {
    factory: 'createOpenAI',
    name: quirks.profile,
    baseUrl,
    keyHeader: quirks.keyHeader,
    // Not by the name of a profile: a proxy that behaves like OpenAI must not get OpenAI's key.
    keyVariables: keyVariables(baseUrl, typeof chosen === 'string' ? quirkProfiles[byUrl] : chosen),
    requiresKey: byUrl === 'openai',
    headers: organization === undefined ? {} : { 'openai-organization': organization },
    overflowStatuses: quirks.overflowStatuses,
    infoOf: id => (quirks.profile === 'openai' ? knownModels[id] : undefined) ?? {},
  })
  const { name, http } = connection
  const createModels = api === 'chat' ? createChatModels : createResponsesModels
  return {
    name,
    model: createModels(connection, quirks),
    embed: request => embed(http, name, request),
    generateImages: request => generateImages(http, name, request),
    listModels: ({ signal } = {}) => listModels(http, openaiModelList, signal),
  }
}

function keyVariables(baseUrl: string, { keyVariable }: Quirks): readonly string[] {
  const variables = keyVariable === undefined ? [] : [keyVariable]
  // Users set OPENAI_BASE_URL and OPENAI_API_KEY as a pair.
  return baseUrl === readEnvironment('OPENAI_BASE_URL') ? [...variables, 'OPENAI_API_KEY'] : variables
}

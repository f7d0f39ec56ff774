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
  vertexAddress,
  withBearer,
  type Embeddings,
  type ModelListing,
  type ProviderConnection,
  type ProviderOptions,
  type Secret,
  type VertexPlace,
} from '@parley/provider-kit'
import { createGeminiDecoder } from './answer/create-gemini-decoder.ts'
import { embed, embedOnVertex } from './endpoints/embed.ts'
import { geminiModelList } from './endpoints/model-list.ts'
import { modelPath, vertexModelPath } from './endpoints/model-path.ts'
import { knownModels } from './known-models.ts'
import { createContentsEncoder } from './request/create-contents-encoder.ts'
import { encodeGeminiTool, toGeminiRequest } from './request/to-gemini-request.ts'

const GOOGLE_URL = 'https://generativelanguage.googleapis.com/v1beta'

/** A project on Google's Vertex AI. */
export interface VertexOptions extends VertexPlace {
  /** An OAuth access token of Google Cloud, or a function that returns the current one for each request. */
  readonly accessToken: Secret
}

export interface GoogleOptions extends ProviderOptions {
  /** Uses Vertex AI, with an access token, instead of the Gemini API. Vertex AI cannot list models. @default the Gemini API */
  readonly vertex?: VertexOptions | undefined
  /** Address of the API, to which `/models/…` is added. @default `https://generativelanguage.googleapis.com/v1beta` */
  readonly baseUrl?: string | undefined
  /**
   * API key, sent as `x-goog-api-key`. Not needed if `headers` contain `authorization`. A key from the environment is
   * sent only to Google's own address. @default GOOGLE_API_KEY, else GEMINI_API_KEY
   */
  readonly apiKey?: string | undefined
  /** Sets `Model.provider` and the key of `settings.providerOptions`. @default 'google' */
  readonly name?: string | undefined
  /**
   * Facts about models, by id. An entry replaces the built-in facts about that model. The prices of Vertex AI are not built
   * in. @default {}
   */
  readonly models?: Readonly<Record<string, ModelInfo>> | undefined
}

/** A provider for Google's models. `listModels` returns the models that can generate content with the given key. */
export interface GoogleProvider extends ModelProvider, Embeddings, ModelListing {}

const OPTIONS: OptionKinds<GoogleOptions> = {
  ...PROVIDER_OPTIONS,
  vertex: { project: 'string!', location: 'string', accessToken: 'string or function!' },
}

/**
 * Creates a provider for Google's Gemini models, with `generateContent`.
 * @throws `config-invalid` if the base URL, the project or the location is invalid. Also if the key for Google's own
 * address is missing, or if both `apiKey` and `vertex` are given.
 */
export function createGoogle(options: GoogleOptions = {}): GoogleProvider {
  checkOptions('createGoogle', options, OPTIONS)
  const { vertex } = options
  const connection = connectGoogle(options)
  const { name, http } = connection
  const createModel = createGeminiModels(connection, vertex === undefined ? modelPath : vertexModelPath)
  return {
    name,
    model: createModel,
    embed: request => (vertex === undefined ? embed : embedOnVertex)(http, name, request),
    async listModels({ signal } = {}) {
      if (vertex === undefined) return await listModels(http, geminiModelList, signal)
      throw createRefuse({ provider: name })('Vertex AI cannot list models.')
    },
  }
}

function connectGoogle(options: GoogleOptions): ProviderConnection {
  const { vertex, apiKey = '', baseUrl = vertex === undefined ? GOOGLE_URL : addressOf(vertex) } = options
  if (vertex !== undefined && apiKey.trim() !== '')
    throw new ParleyError({
      code: 'config-invalid',
      path: 'apiKey',
      detail: 'must be left out; vertex has an accessToken',
    })
  const isOfficial = vertex === undefined && isGoogle(baseUrl)
  return connectProvider(options, {
    factory: 'createGoogle',
    name: 'google',
    baseUrl,
    keyHeader: 'x-goog-api-key',
    keyVariables: isOfficial ? ['GOOGLE_API_KEY', 'GEMINI_API_KEY'] : [],
    requiresKey: isOfficial,
    wrapFetch: vertex === undefined ? undefined : fetch => withBearer(fetch, vertex.accessToken),
    infoOf: id => infoOf(id, vertex),
  })
}

function addressOf({ project, location }: VertexOptions): string {
  return vertexAddress({ project, location }, 'v1beta1')
}

/** Returns a function that creates models which answer at `{path}:streamGenerateContent`. */
function createGeminiModels(connection: ProviderConnection, pathOf: (id: string) => string): (id: string) => Model {
  const { name: provider, wire, createCallId } = connection
  const encodeTool = createEncodingCache(encodeGeminiTool)
  const method = wire === 'stream' ? 'streamGenerateContent?alt=sse' : 'generateContent'
  return id => {
    const encodeContents = createContentsEncoder({ provider, model: id })
    return createHttpModel(connection, {
      id,
      path: `${encodeURI(pathOf(id))}:${method}`,
      encode: request => toGeminiRequest(request, { provider, model: id, encodeContents, encodeTool }),
      createDecoder: context => createGeminiDecoder({ context, provider, model: id, createCallId }),
    })
  }
}

function infoOf(id: string, vertex: VertexOptions | undefined): ModelInfo {
  const known = knownModels[id] ?? {}
  if (vertex === undefined) return known
  const { pricing: _, ...info } = known
  return info
}

function isGoogle(baseUrl: string): boolean {
  return URL.canParse(baseUrl) && new URL(baseUrl).hostname === 'generativelanguage.googleapis.com'
}

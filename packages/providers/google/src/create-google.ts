import { ParleyError, type ModelInfo, type ModelProvider } from '@parley/core'
import {
  createHttp,
  platformFetch,
  randomCallId,
  readEnvironment,
  vertexAddress,
  withBearer,
  type EmbedRequest,
  type HttpFetch,
  type RetryOptions,
  type Secret,
  type Timeouts,
  type VertexPlace,
} from '@parley/provider-kit'
import { embed } from './endpoints/embed.ts'
import { embedOnVertex } from './endpoints/embed-on-vertex.ts'
import { createGeminiModels } from './create-gemini-models.ts'
import { knownModels } from './known-models.ts'
import { listModels, type ListedModel } from './endpoints/list-models.ts'
import { placeOf, vertexPlaceOf } from './endpoints/place-of.ts'

const GOOGLE_URL = 'https://generativelanguage.googleapis.com/v1beta'

/** Google's Vertex AI. */
export interface VertexOptions extends VertexPlace {
  /** An OAuth access token of Google Cloud, or what gives one for each request. */
  readonly accessToken: Secret
}

export interface GoogleOptions {
  /** Asks Vertex AI in place of the Gemini API, with a token in place of a key; it lists no models. @default the Gemini API */
  readonly vertex?: VertexOptions | undefined
  /** Address of the API, up to where `/models/…` is added. @default `https://generativelanguage.googleapis.com/v1beta` */
  readonly baseUrl?: string | undefined
  /**
   * Sent as `x-goog-api-key`. A key from the environment goes to Google's own address only.
   * @default GOOGLE_API_KEY, else GEMINI_API_KEY
   */
  readonly apiKey?: string | undefined
  /** `Model.provider` of the models, and the key of their provider options. @default 'google' */
  readonly name?: string | undefined
  /** More headers for each request; an `authorization` header makes the key unnecessary. @default {} */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** `json` asks for answers in one piece. @default 'stream' */
  readonly wire?: 'stream' | 'json' | undefined
  /** @default {} */
  readonly timeouts?: Timeouts | undefined
  /** @default {} */
  readonly retry?: RetryOptions | undefined
  /** Facts about models, by id; they replace the built-in ones. What Vertex AI charges is not built in. @default {} */
  readonly models?: Readonly<Record<string, ModelInfo>> | undefined
  /** Makes the requests. @default platformFetch() of `@parley/provider-kit` */
  readonly fetch?: HttpFetch | undefined
  /** Makes the id of a tool call that came without one. @default random */
  readonly createCallId?: (() => string) | undefined
}

export interface GoogleProvider extends ModelProvider {
  /** A vector for each text, in their order. @throws `ParleyError` with a `model-…` code, or `signal.reason`. */
  embed(request: EmbedRequest): Promise<readonly (readonly number[])[]>
  /** The models this key can generate content with. @throws `ParleyError` with a `model-…` code, or `signal.reason`. */
  listModels(options?: { readonly signal?: AbortSignal | undefined }): Promise<readonly ListedModel[]>
}

/**
 * Google's Gemini models, by generateContent.
 * @throws `config-invalid` for a base URL that is none, for a missing key where Google itself is asked, and for a key, a
 * project or a location that does not belong to Vertex AI where that is asked.
 */
export function createGoogle({
  vertex,
  baseUrl = vertex === undefined ? GOOGLE_URL : vertexAddress(vertex, 'v1beta1'),
  apiKey = vertex === undefined ? defaultKey(baseUrl) : undefined,
  name = 'google',
  headers = {},
  wire = 'stream',
  timeouts,
  retry,
  models = {},
  fetch = platformFetch(),
  createCallId = randomCallId,
}: GoogleOptions = {}): GoogleProvider {
  // Keys pasted from a file bring their line end along.
  const key = apiKey?.trim() ?? ''
  const refuse = (detail: string): ParleyError => new ParleyError({ code: 'config-invalid', path: 'apiKey', detail })
  if (vertex !== undefined && key !== '') throw refuse('Vertex AI takes the accessToken. Leave the key out.')
  const isAuthorized = Object.keys(headers).some(header => /^(authorization|x-goog-api-key)$/i.test(header))
  if (key === '' && !isAuthorized && isGoogle(baseUrl)) throw refuse('Give an apiKey or set GEMINI_API_KEY.')
  const http = createHttp({
    provider: name,
    baseUrl,
    headers: { ...(key === '' ? {} : { 'x-goog-api-key': key }), ...headers },
    fetch: vertex === undefined ? fetch : withBearer(fetch, vertex.accessToken),
    timeouts,
    retry,
  })
  const place = vertex === undefined ? placeOf : vertexPlaceOf
  const createModel = createGeminiModels({ provider: name, wire, http, createCallId, placeOf: place })
  return {
    name,
    model: id => createModel(id, models[id] ?? infoOf(id, vertex)),
    embed: request => (vertex === undefined ? embed : embedOnVertex)(http, name, request),
    async listModels({ signal } = {}) {
      if (vertex === undefined) return await listModels(http, signal)
      throw new ParleyError({ code: 'model-unsupported', provider: name, detail: 'Vertex AI lists no models.' })
    },
  }
}

/** Of Vertex AI, the prices are not known. */
function infoOf(id: string, vertex: VertexOptions | undefined): ModelInfo {
  const known = knownModels[id] ?? {}
  if (vertex === undefined) return known
  const { pricing: _, ...info } = known
  return info
}

function defaultKey(baseUrl: string): string | undefined {
  return isGoogle(baseUrl) ? (readEnvironment('GOOGLE_API_KEY') ?? readEnvironment('GEMINI_API_KEY')) : undefined
}

function isGoogle(baseUrl: string): boolean {
  return URL.canParse(baseUrl) && new URL(baseUrl).hostname === 'generativelanguage.googleapis.com'
}

import type { Json, ModelProvider } from '@parley/core'

/** Options of a provider factory: the resolved connection of a file. */
export interface ProviderConnection {
  /** Address of the API. @default the provider's own */
  readonly baseUrl?: string | undefined
  /** API key. @default the provider's environment variable */
  readonly apiKey?: string | undefined
  /** Additional headers of each request. @default none */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The API of the provider that is called. @default the provider's own */
  readonly api?: 'chat' | 'responses' | undefined
  /** Whether answers are streamed or sent as one JSON document. @default the provider's own */
  readonly wire?: 'stream' | 'json' | undefined
}

/** Makes a provider. `createOpenAI`, `createAnthropic`, `createGoogle` and `createOllama` can be used directly. */
export type ProviderFactory = (connection: ProviderConnection) => PromptyProvider

/** A provider of models that may also make embeddings and images. */
export interface PromptyProvider extends ModelProvider {
  /** Makes one vector for each text. */
  embed?(request: EmbedRequest): Promise<readonly (readonly number[])[]>
  /** Makes images. Returns their URLs, or their bytes in base64. */
  generateImages?(request: GenerateImagesRequest): Promise<readonly string[]>
}

/** A request of `PromptyProvider.embed`. */
export interface EmbedRequest {
  readonly model: string
  readonly input: readonly string[]
  /** Additional request fields. @default none */
  readonly options?: Readonly<Record<string, Json>> | undefined
  readonly signal?: AbortSignal | undefined
}

/** A request of `PromptyProvider.generateImages`. */
export interface GenerateImagesRequest {
  readonly model: string
  readonly prompt: string
  /** Additional request fields. @default none */
  readonly options?: Readonly<Record<string, Json>> | undefined
  readonly signal?: AbortSignal | undefined
}

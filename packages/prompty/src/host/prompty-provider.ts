import type { Json, ModelProvider } from '@parley/core'

/** What a provider is made with: what a connection of a file came to. */
export interface ProviderConnection {
  /** @default the provider's own */
  readonly baseUrl?: string | undefined
  /** @default the provider's own, from its environment variable */
  readonly apiKey?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Which API of the provider is spoken. */
  readonly api?: 'chat' | 'responses' | undefined
  /** Whether answers are streamed or come in one piece. */
  readonly wire?: 'stream' | 'json' | undefined
}

/** Makes a provider: `createOpenAI`, `createAnthropic` and their like fit as they are. */
export type ProviderFactory = (connection: ProviderConnection) => PromptyProvider

/** A provider of models, and of what else it can make. */
export interface PromptyProvider extends ModelProvider {
  /** A vector for each text. */
  embed?(request: EmbedRequest): Promise<readonly (readonly number[])[]>
  /** Addresses of the images made, or their bytes as base64. */
  generateImages?(request: GenerateImagesRequest): Promise<readonly string[]>
}

export interface EmbedRequest {
  readonly model: string
  readonly input: readonly string[]
  /** More fields for the provider's wire. */
  readonly options?: Readonly<Record<string, Json>> | undefined
  readonly signal?: AbortSignal | undefined
}

export interface GenerateImagesRequest {
  readonly model: string
  readonly prompt: string
  /** More fields for the provider's wire. */
  readonly options?: Readonly<Record<string, Json>> | undefined
  readonly signal?: AbortSignal | undefined
}

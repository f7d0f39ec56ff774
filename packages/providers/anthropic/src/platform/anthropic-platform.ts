import type { HttpFetch } from '@parley/provider-kit'

/** What an address is made of. */
export interface PlatformCall {
  /** The model's id at the platform. */
  readonly model: string
  readonly stream: boolean
}

/** Somebody else who serves Claude, and how requests to them differ. `vertexPlatform` and `bedrockPlatform` make one. */
export interface AnthropicPlatform {
  /** Address of the service, up to where paths are added. */
  readonly baseUrl: string
  /** Where the request for an answer goes; it names the model. */
  readonly pathOf: (call: PlatformCall) => string
  /** Whether the body says if a stream is wanted; otherwise the path alone does. */
  readonly streamInBody: boolean
  /** Its name for the version of the API that is spoken, unless another one is asked for. */
  readonly version: string
  /** Whether beta features are named in the body, too. */
  readonly betasInBody: boolean
  /** Makes requests that are allowed, and answers of Anthropic's form. */
  readonly wrapFetch: (fetch: HttpFetch) => HttpFetch
}

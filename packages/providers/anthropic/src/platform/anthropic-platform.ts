import type { HttpFetch } from '@parley/provider-kit'

/** The facts from which a platform builds the path of a request. */
export interface PlatformCall {
  /** Id of the model at the platform. */
  readonly model: string
  /** Whether the answer is streamed. */
  readonly stream: boolean
}

/**
 * A service other than Anthropic that serves Claude, and how its requests differ. `createVertexPlatform` and `createBedrockPlatform`
 * create one.
 */
export interface AnthropicPlatform {
  /** Address of the service, to which paths are added. */
  readonly baseUrl: string
  /** Returns the path of a request for an answer. It names the model. */
  readonly pathOf: (call: PlatformCall) => string
  /** Whether the body states if the answer is streamed. If false, only the path does. */
  readonly streamInBody: boolean
  /** The platform's name for the default version of the API. */
  readonly version: string
  /** Whether the body also lists the beta features. */
  readonly betasInBody: boolean
  /** Wraps the `fetch` so that requests are authorized and responses have Anthropic's form. */
  readonly wrapFetch: (fetch: HttpFetch) => HttpFetch
}

export interface EnvelopeOptions extends PlatformCall {
  /** The platform that serves the model; `undefined` for Anthropic's own API. */
  readonly platform: AnthropicPlatform | undefined
  readonly version: string
  readonly betas: readonly string[]
}

/** Returns the body fields for the model, the form of the answer and the API version, as Anthropic or the platform expects them. */
export function envelopeOf({ platform, version, betas, model, stream }: EnvelopeOptions): Record<string, unknown> {
  if (platform === undefined) return { model, stream }
  return {
    anthropic_version: version,
    ...(platform.streamInBody ? { stream } : {}),
    ...(platform.betasInBody && betas.length > 0 ? { anthropic_beta: betas } : {}),
  }
}

/** Encodes a text as one segment of a path. Keeps characters that RFC 3986 allows in a segment, such as `:`. */
export function encodePathSegment(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9\-._~!$&'()*+,=:@]+/g, encodeURIComponent)
}

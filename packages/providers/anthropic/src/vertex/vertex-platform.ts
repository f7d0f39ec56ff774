import { vertexAddress, withBearer, type Secret, type VertexPlace } from '@parley/provider-kit'
import { encodePathSegment, type AnthropicPlatform } from '../platform/anthropic-platform.ts'

export interface VertexPlatformOptions extends VertexPlace {
  /** An OAuth access token of Google Cloud, or a function that returns the current one for each request. */
  readonly accessToken: Secret
}

/**
 * Creates the platform for Claude on Google's Vertex AI. Pass it to `createAnthropic({ platform })`.
 * @throws `config-invalid` if the project or the location is invalid.
 */
export function vertexPlatform({ accessToken, ...place }: VertexPlatformOptions): AnthropicPlatform {
  return {
    baseUrl: `${vertexAddress(place, 'v1')}/publishers/anthropic`,
    pathOf: ({ model, stream }) => `models/${encodePathSegment(model)}:${stream ? 'streamRawPredict' : 'rawPredict'}`,
    version: 'vertex-2023-10-16',
    streamInBody: true,
    betasInBody: false,
    wrapFetch: fetch => withBearer(fetch, accessToken),
  }
}

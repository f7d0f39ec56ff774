import { vertexAddress, withBearer, type Secret, type VertexPlace } from '@parley/provider-kit'
import type { AnthropicPlatform } from '../platform/anthropic-platform.ts'
import { encodePathSegment } from '../platform/encode-path-segment.ts'

export interface VertexPlatformOptions extends VertexPlace {
  /** An OAuth access token of Google Cloud, or what gives one for each request. */
  readonly accessToken: Secret
}

/**
 * Claude on Google's Vertex AI, for `createAnthropic({ platform })`.
 * @throws `config-invalid` for a project or location that is none.
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

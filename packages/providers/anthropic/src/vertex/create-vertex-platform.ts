import { checkOptions, type OptionKinds } from '@parley/core'
import { vertexAddress, withBearer, type Secret, type VertexPlace } from '@parley/provider-kit'
import { encodePathSegment, type AnthropicPlatform } from '../platform/anthropic-platform.ts'

export interface VertexPlatformOptions extends VertexPlace {
  /** An OAuth access token of Google Cloud, or a function that returns the current one for each request. */
  readonly accessToken: Secret
}

const OPTIONS: OptionKinds<VertexPlatformOptions> = {
  accessToken: 'string or function!',
  project: 'string!',
  location: 'string',
}

/**
 * Creates the platform for Claude on Google's Vertex AI. Pass it to `createAnthropic({ platform })`.
 * @throws `config-invalid` if the project or the location is invalid.
 */
export function createVertexPlatform(options: VertexPlatformOptions): AnthropicPlatform {
  checkOptions('createVertexPlatform', options, OPTIONS)
  const { accessToken, ...place } = options
  return {
    baseUrl: `${vertexAddress(place, 'v1')}/publishers/anthropic`,
    pathOf: ({ model, stream }) => `models/${encodePathSegment(model)}:${stream ? 'streamRawPredict' : 'rawPredict'}`,
    version: 'vertex-2023-10-16',
    streamInBody: true,
    betasInBody: false,
    wrapFetch: fetch => withBearer(fetch, accessToken),
  }
}

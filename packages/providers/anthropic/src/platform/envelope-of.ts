import type { AnthropicPlatform, PlatformCall } from './anthropic-platform.ts'

export interface EnvelopeOptions extends PlatformCall {
  readonly platform: AnthropicPlatform | undefined
  readonly version: string
  readonly betas: readonly string[]
}

/** The fields of a body that name the model, the form of the answer and the version of the API, as the platform wants it. */
export function envelopeOf({ platform, version, betas, model, stream }: EnvelopeOptions): Record<string, unknown> {
  if (platform === undefined) return { model, stream }
  return {
    anthropic_version: version,
    ...(platform.streamInBody ? { stream } : {}),
    ...(platform.betasInBody && betas.length > 0 ? { anthropic_beta: betas } : {}),
  }
}

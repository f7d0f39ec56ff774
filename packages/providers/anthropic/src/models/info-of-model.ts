import type { ModelInfo } from '@parley/core'
import type { AnthropicPlatform } from '../platform/anthropic-platform.ts'
import { knownModels } from './known-models.ts'

/** What is known about a model, also as a platform spells it; of platforms the prices are not known. */
export function infoOfModel(id: string, platform: AnthropicPlatform | undefined): ModelInfo {
  if (platform === undefined) return knownModels[id] ?? {}
  const { pricing: _, ...info } = knownModels[plainIdOf(id)] ?? {}
  return info
}

/** `us.anthropic.claude-sonnet-4-5-20250929-v1:0`, `claude-sonnet-4-5@20250929` → `claude-sonnet-4-5-20250929`. */
function plainIdOf(id: string): string {
  return id
    .replace(/^.*anthropic\./, '')
    .replace(/-v\d+(:\d+)?$/, '')
    .replace('@', '-')
}

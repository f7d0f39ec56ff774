export type { AnthropicPlatform, PlatformCall } from './platform/anthropic-platform.ts'
export {
  createAnthropic,
  type AnthropicModelInfo,
  type AnthropicOptions,
  type AnthropicProvider,
} from './create-anthropic.ts'
export { knownModels } from './models/known-models.ts'
export type { ListedModel } from '@parley/provider-kit'
export { rulesOfModel, type ModelRules } from './models/model-rules.ts'

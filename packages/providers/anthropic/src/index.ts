export type { AnthropicPlatform, PlatformCall } from './anthropic-platform.ts'
export {
  createAnthropic,
  type AnthropicModelInfo,
  type AnthropicOptions,
  type AnthropicProvider,
} from './create-anthropic.ts'
export { knownModels } from './known-models.ts'
export type { ListedModel } from './list-models.ts'
export { rulesOfModel, type ModelRules } from './model-rules.ts'

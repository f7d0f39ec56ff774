export { createGoogle, type GoogleOptions, type GoogleProvider } from './create-google.ts'
export { knownModels } from './known-models.ts'
export type { ListedModel } from './list-models.ts'
export { thinkingSupportOf, type ThinkingLevel, type ThinkingSupport } from './thinking-support.ts'

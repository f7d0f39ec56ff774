export { createGoogle, type GoogleOptions, type GoogleProvider, type VertexOptions } from './create-google.ts'
export type { EmbedRequest, ListedModel } from '@parley/provider-kit'
export { knownModels } from './known-models.ts'
export { thinkingSupportOf, type ThinkingLevel, type ThinkingSupport } from './request/thinking-support.ts'

export { createOllama, type OllamaOptions, type OllamaProvider } from './create-ollama.ts'
export type { EmbedRequest } from '@parley/provider-kit'
export type { ListedModel } from './list-models.ts'

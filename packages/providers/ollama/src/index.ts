export { createOllama, type OllamaOptions, type OllamaProvider } from './create-ollama.ts'
export type { EmbedRequest, ListedModel } from '@parley/provider-kit'

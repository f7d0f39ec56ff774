export { createOllama, type OllamaOptions, type OllamaProvider } from './create-ollama.ts'
export type { ListedModel } from './list-models.ts'

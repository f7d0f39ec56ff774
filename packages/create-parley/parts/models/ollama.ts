import type { Model } from '@parley/core'
import { createOllama } from '@parley/ollama'

/** Uses the server at `http://localhost:11434`. Run `ollama pull qwen3:8b` first. */
export const model: Model = createOllama({ contextWindow: 16_384 }).model('qwen3:8b')

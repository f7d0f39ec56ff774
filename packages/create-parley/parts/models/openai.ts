import type { Model } from '@parley/core'
import { createOpenAI } from '@parley/openai'

/** Reads the key from `OPENAI_API_KEY`. */
export const model: Model = createOpenAI().model('gpt-4.1-mini')

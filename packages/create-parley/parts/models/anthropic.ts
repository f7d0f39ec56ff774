import { createAnthropic } from '@parley/anthropic'
import type { Model } from '@parley/core'

/** Reads the key from `ANTHROPIC_API_KEY`. */
export const model: Model = createAnthropic().model('claude-sonnet-5')

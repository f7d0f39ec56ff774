import type { Model } from '@parley/core'
import { createGoogle } from '@parley/google'

/** Reads the key from `GEMINI_API_KEY`. */
export const model: Model = createGoogle().model('gemini-3-flash-preview')

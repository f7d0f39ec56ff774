import type { Model } from '@parley/core'
import { createDemoModel } from '@parley/demo-model'

/** Follows simple rules and needs no key. Replace it with a model of `@parley/openai`, `@parley/anthropic` or another provider. */
export const model: Model = createDemoModel()

import type { ContextPolicy, Model } from '@parley/core'
import { phiCompaction, slidingWindow, summarize, truncateOldest } from '@parley/context-policies'
import type { ContextData } from '../schema/context-schema.ts'

/**
 * Makes a context policy from its description.
 * @param modelOf Finds the model that writes summaries.
 * @throws ParleyError `config-invalid` if an option is invalid.
 */
export function toContextPolicy(context: ContextData, modelOf: (name: string) => Model | undefined): ContextPolicy {
  switch (context.policy) {
    case 'sliding-window': {
      const { policy: _, ...options } = context
      return slidingWindow(options)
    }
    case 'truncate-oldest': {
      const { policy: _, ...options } = context
      return truncateOldest(options)
    }
    case 'summarize': {
      const { policy: _, model, ...options } = context
      return summarize({ ...options, model: model === undefined ? undefined : modelOf(model) })
    }
    case 'phi': {
      const { policy: _, ...options } = context
      return phiCompaction(options)
    }
  }
}

import type { ThinkingSetting } from '@parley/core'
import { createRefuse } from '@parley/provider-kit'

/** Value of the request field `think`. */
export type Think = boolean | 'low' | 'medium' | 'high'

export interface ThinkOptions {
  readonly provider: string
  readonly model: string
}

/**
 * Converts a thinking setting; `undefined` leaves it to the server. Models of the gpt-oss family take a level and always
 * think. All other models have a switch, which every level turns on.
 * @throws `model-unsupported` for a budget, which Ollama does not support, and for `off` if the model always thinks.
 */
export function toThink(setting: ThinkingSetting | undefined, { provider, model }: ThinkOptions): Think | undefined {
  if (setting === undefined) return undefined
  const refuse = createRefuse({ provider, model })
  if (typeof setting === 'object') throw refuse('Ollama accepts no thinking budget. Set settings.thinking to a level.')
  if (!/(^|\/)gpt-oss/.test(model)) return setting !== 'off'
  if (setting === 'off') throw refuse('This model always thinks. Set a low level instead.')
  return setting === 'minimal' ? 'low' : setting
}

import { ParleyError, type ThinkingSetting } from '@parley/core'

/** `think` on the wire. */
export type Think = boolean | 'low' | 'medium' | 'high'

export interface ThinkOptions {
  readonly provider: string
  readonly model: string
}

/**
 * What is sent for a setting; undefined leaves it to the server. Models of the gpt-oss family take a level and never
 * stop thinking; all others have a switch, which every level turns on.
 * @throws `model-unsupported` for a budget, which Ollama has not, and for `off` where it has no effect.
 */
export function toThink(setting: ThinkingSetting | undefined, { provider, model }: ThinkOptions): Think | undefined {
  if (setting === undefined) return undefined
  const refuse = (detail: string): ParleyError =>
    new ParleyError({ code: 'model-unsupported', provider, model, detail })
  if (typeof setting === 'object') throw refuse('Ollama has no thinking budgets. Ask for a level.')
  if (!/(^|\/)gpt-oss/.test(model)) return setting !== 'off'
  if (setting === 'off') throw refuse('It cannot stop thinking. Ask for little of it.')
  return setting === 'minimal' ? 'low' : setting
}

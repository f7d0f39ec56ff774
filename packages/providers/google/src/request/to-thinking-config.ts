import { ParleyError, type ThinkingSetting } from '@parley/core'
import { thinkingSupportOf, type ThinkingLevel, type ThinkingSupport } from './thinking-support.ts'

/** `generationConfig.thinkingConfig` on the wire. */
export interface ThinkingConfig {
  readonly includeThoughts?: boolean
  readonly thinkingBudget?: number
  readonly thinkingLevel?: string
}

export interface ThinkingConfigOptions {
  readonly provider: string
  readonly model: string
}

// Google's own mapping of efforts to budgets, but for the lowest.
const BUDGETS: Readonly<Record<ThinkingLevel, number>> = { minimal: 512, low: 1024, medium: 8192, high: 24_576 }

/**
 * What is sent for a setting; undefined when nothing is. A known thinking model always shows its thoughts. A level or
 * budget below what the model can do is raised to it.
 * @throws `model-unsupported` for what the model cannot do, or may not: nothing is guessed for an unknown id.
 */
export function toThinkingConfig(
  setting: ThinkingSetting | undefined,
  { provider, model }: ThinkingConfigOptions,
): ThinkingConfig | undefined {
  const support = thinkingSupportOf(model)
  const refuse = (detail: string): ParleyError =>
    new ParleyError({ code: 'model-unsupported', provider, model, detail })
  if (setting === undefined) return thinks(support) ? { includeThoughts: true } : undefined
  if (support === undefined)
    throw refuse(
      `How this model thinks is not known. Set providerOptions.${provider}.generationConfig.thinkingConfig instead.`,
    )
  if (setting === 'off') {
    if (support.kind === 'none') return undefined
    if (support.kind === 'budget' && support.canStop) return { thinkingBudget: 0 }
    throw refuse('It cannot stop thinking. Ask for less of it.')
  }
  if (support.kind === 'none') throw refuse('It does not think.')
  if (support.kind === 'budget') return { includeThoughts: true, thinkingBudget: toBudget(setting, support, refuse) }
  if (typeof setting === 'object') throw refuse('It takes a level of thinking, not a budget of tokens.')
  const order: readonly ThinkingLevel[] = ['minimal', 'low', 'medium', 'high']
  const level = support.levels.find(each => order.indexOf(each) >= order.indexOf(setting)) ?? 'high'
  return { includeThoughts: true, thinkingLevel: level.toUpperCase() }
}

function thinks(support: ThinkingSupport | undefined): boolean {
  return support !== undefined && support.kind !== 'none'
}

function toBudget(
  setting: ThinkingLevel | { readonly budgetTokens: number },
  { min, max }: { readonly min: number; readonly max: number },
  refuse: (detail: string) => ParleyError,
): number {
  const wanted = typeof setting === 'object' ? setting.budgetTokens : BUDGETS[setting]
  if (wanted > max) throw refuse(`It thinks with at most ${max} tokens, not ${wanted}.`)
  return Math.max(wanted, min)
}

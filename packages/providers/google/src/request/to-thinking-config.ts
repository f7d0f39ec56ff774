import type { ThinkingSetting } from '@parley/core'
import { createRefuse, type Refuse } from '@parley/provider-kit'
import { thinkingSupportOf, type ThinkingLevel, type ThinkingSupport } from './thinking-support.ts'

/** Value of the request field `generationConfig.thinkingConfig`. */
export interface ThinkingConfig {
  readonly includeThoughts?: boolean
  readonly thinkingBudget?: number
  readonly thinkingLevel?: string
}

export interface ThinkingConfigOptions {
  readonly provider: string
  readonly model: string
}

// Google's mapping of efforts to budgets, except for `minimal`.
const BUDGETS: Readonly<Record<ThinkingLevel, number>> = { minimal: 512, low: 1024, medium: 8192, high: 24_576 }

/**
 * Converts a thinking setting; `undefined` if nothing is sent. Thoughts are always requested from a model known to think. A
 * level or budget below the model's minimum is raised to that minimum.
 * @throws `model-unsupported` if the model does not support the setting, or if the id is unknown.
 */
export function toThinkingConfig(
  setting: ThinkingSetting | undefined,
  { provider, model }: ThinkingConfigOptions,
): ThinkingConfig | undefined {
  const support = thinkingSupportOf(model)
  const refuse = createRefuse({ provider, model })
  if (setting === undefined) return thinks(support) ? { includeThoughts: true } : undefined
  if (support === undefined)
    throw refuse(
      `The thinking options of this model are unknown. Set providerOptions.${provider}.generationConfig.thinkingConfig instead.`,
    )
  if (setting === 'off') {
    if (support.kind === 'none') return undefined
    if (support.kind === 'budget' && support.canStop) return { thinkingBudget: 0 }
    throw refuse('This model always thinks. Set a low level instead.')
  }
  if (support.kind === 'none') throw refuse('This model does not think. Leave out settings.thinking.')
  if (support.kind === 'budget') return { includeThoughts: true, thinkingBudget: toBudget(setting, support, refuse) }
  if (typeof setting === 'object')
    throw refuse('This model accepts no thinking budget. Set settings.thinking to a level.')
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
  refuse: Refuse,
): number {
  const wanted = typeof setting === 'object' ? setting.budgetTokens : BUDGETS[setting]
  if (wanted > max) throw refuse(`The thinking budget must be at most ${max} tokens, not ${wanted}.`)
  return Math.max(wanted, min)
}

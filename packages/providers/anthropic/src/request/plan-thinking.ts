import type { ModelSettings, ThinkingSetting } from '@parley/core'
import type { Refuse } from '@parley/provider-kit'
import type { ModelRules } from '../models/model-rules.ts'

/** How the model thinks in one call. */
export interface ThinkingPlan {
  /** The field `thinking` of the request; `undefined` leaves it to the model. */
  readonly thinking: Readonly<Record<string, unknown>> | undefined
  /** The effort in `output_config`. */
  readonly effort: 'low' | 'medium' | 'high' | undefined
  /** Whether thinking was requested, which excludes some other settings. */
  readonly asked: boolean
  /** The field `max_tokens` of the request. */
  readonly maxTokens: number
}

export interface ThinkingPlanOptions {
  readonly rules: ModelRules
  readonly refuse: Refuse
  /** Largest number of output tokens of the model; `undefined` if unknown. */
  readonly outputCap: number | undefined
  /** Whether thinking between tool calls is enabled. If so, the budget may exceed `max_tokens`. */
  readonly interleaved: boolean
}

type Level = Exclude<ThinkingSetting, object | 'off'>

const LEAST_BUDGET = 1024
const BUDGETS: Readonly<Record<Level, number>> = { minimal: LEAST_BUDGET, low: 4096, medium: 12_000, high: 24_000 }
const EFFORTS = { minimal: 'low', low: 'low', medium: 'medium', high: 'high' } as const
// Tokens added for the answer if the budget alone would fill the default.
const ANSWER_ROOM = 8192

/**
 * Converts a thinking setting to the form that the model supports. Budgets below 1024 tokens are raised to 1024. The budget of a
 * level is reduced so that a fifth of `maxOutputTokens` remains for the answer.
 * @throws `model-unsupported` if the model does not support the setting.
 */
export function planThinking(settings: ModelSettings, options: ThinkingPlanOptions): ThinkingPlan {
  const { thinking: setting, maxOutputTokens } = settings
  const { rules, refuse, outputCap } = options
  const maxTokens = maxOutputTokens ?? Math.min(rules.defaultOutputTokens, outputCap ?? Infinity)
  const unasked = { thinking: undefined, effort: undefined, asked: false, maxTokens }
  if (setting === undefined) return unasked
  if (setting === 'off') return { ...unasked, thinking: offField(options) }
  if (rules.thinking === 'none') throw refuse('This model does not think. Leave out settings.thinking.')
  if (typeof setting === 'object') {
    if (rules.thinking === 'adaptive')
      throw refuse('This model accepts no thinking budget. Set settings.thinking to a level.')
    return planBudget(Math.max(Math.ceil(setting.budgetTokens), LEAST_BUDGET), maxOutputTokens, options)
  }
  if (rules.thinking === 'budget') {
    const fitting = Math.max(Math.min(BUDGETS[setting], Math.floor(maxTokens * 0.8)), LEAST_BUDGET)
    return planBudget(fitting, maxOutputTokens, options)
  }
  // Models that support only effort also hide their thoughts unless the request asks for a summary.
  const display = rules.thinking === 'adaptive' ? { display: 'summarized' } : {}
  return { thinking: { type: 'adaptive', ...display }, effort: EFFORTS[setting], asked: true, maxTokens }
}

function offField({ rules, refuse }: ThinkingPlanOptions): ThinkingPlan['thinking'] {
  if (rules.thinkingOff === 'never') throw refuse('This model always thinks. Lower settings.thinking instead.')
  return rules.thinkingOff === 'absent' ? undefined : { type: rules.thinkingOff }
}

function planBudget(
  budget: number,
  maxOutputTokens: number | undefined,
  { rules, refuse, outputCap, interleaved }: ThinkingPlanOptions,
): ThinkingPlan {
  const wanted = maxOutputTokens ?? Math.max(rules.defaultOutputTokens, budget + ANSWER_ROOM)
  const maxTokens = maxOutputTokens ?? Math.min(wanted, outputCap ?? wanted)
  if (budget >= maxTokens && !interleaved)
    throw refuse(`The thinking budget of ${budget} tokens must be below the output limit of ${maxTokens} tokens.`)
  return { thinking: { type: 'enabled', budget_tokens: budget }, effort: undefined, asked: true, maxTokens }
}

import type { ModelSettings } from '@parley/core'
import type { ModelRules } from '../models/model-rules.ts'
import type { Refuse } from '../refuse.ts'

export interface SamplingOptions {
  readonly rules: ModelRules
  readonly refuse: Refuse
  /** Whether the call was asked to think. */
  readonly thinks: boolean
}

const LEAST_TOP_P_WITH_THINKING = 0.95

/**
 * Temperature and top-p for the wire. The API's own default, 1, is left out: models without sampling take it no other way.
 * @throws `model-unsupported` for values the model refuses, and for a seed, which the API has not.
 */
export function samplingFields(
  { temperature, topP, seed }: ModelSettings,
  { rules, refuse, thinks }: SamplingOptions,
): Readonly<Record<string, number>> {
  if (seed !== undefined) throw refuse('The Messages API has no seed.')
  const fields: Record<string, number> = {}
  if (temperature !== undefined && temperature !== 1) fields['temperature'] = temperature
  if (topP !== undefined && topP !== 1) fields['top_p'] = topP
  const { temperature: heat, top_p: share } = fields
  if (heat === undefined && share === undefined) return fields
  if (rules.sampling === 'none') throw refuse('This model takes neither temperature nor topP.')
  if (heat !== undefined && (heat < 0 || heat > 1)) throw refuse(`temperature is ${heat}, it must be from 0 to 1.`)
  if (heat !== undefined && share !== undefined && rules.sampling === 'one')
    throw refuse('This model takes temperature or topP, not both.')
  if (thinks && heat !== undefined) throw refuse('While it thinks, temperature must be 1.')
  if (thinks && share !== undefined && share < LEAST_TOP_P_WITH_THINKING)
    throw refuse(`While it thinks, topP must be at least ${LEAST_TOP_P_WITH_THINKING}.`)
  return fields
}

import type { ModelSettings } from '@parley/core'
import type { Refuse } from '@parley/provider-kit'
import type { ModelRules } from '../models/model-rules.ts'

export interface SamplingOptions {
  readonly rules: ModelRules
  readonly refuse: Refuse
  /** Whether thinking was requested. */
  readonly thinks: boolean
}

const LEAST_TOP_P_WITH_THINKING = 0.95

/**
 * Converts temperature, top-p and top-k to request fields. The API's default, 1, is left out, because models without sampling
 * reject the fields themselves.
 * @throws `model-unsupported` for a value that the model rejects, for a seed and for penalties, which the API does not have.
 */
export function samplingFields(
  { temperature, topP, topK, frequencyPenalty, presencePenalty, seed }: ModelSettings,
  { rules, refuse, thinks }: SamplingOptions,
): Readonly<Record<string, number>> {
  if (seed !== undefined) throw refuse('The Messages API does not support a seed.')
  if (frequencyPenalty !== undefined || presencePenalty !== undefined)
    throw refuse('The Messages API supports neither frequencyPenalty nor presencePenalty.')
  const fields: Record<string, number> = {}
  if (temperature !== undefined && temperature !== 1) fields['temperature'] = temperature
  if (topP !== undefined && topP !== 1) fields['top_p'] = topP
  if (topK !== undefined) fields['top_k'] = topK
  const { temperature: heat, top_p: share } = fields
  if (Object.keys(fields).length === 0) return fields
  if (rules.sampling === 'none') throw refuse('This model accepts neither temperature nor topP nor topK.')
  if (heat !== undefined && (heat < 0 || heat > 1)) throw refuse(`temperature is ${heat}; it must be from 0 to 1.`)
  if (heat !== undefined && share !== undefined && rules.sampling === 'one')
    throw refuse('This model accepts temperature or topP, but not both.')
  if (thinks && heat !== undefined) throw refuse('While this model thinks, temperature must be 1.')
  if (thinks && topK !== undefined) throw refuse('While this model thinks, it does not accept topK.')
  if (thinks && share !== undefined && share < LEAST_TOP_P_WITH_THINKING)
    throw refuse(`While this model thinks, topP must be at least ${LEAST_TOP_P_WITH_THINKING}.`)
  return fields
}

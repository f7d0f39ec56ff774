import type { Attributes } from '@opentelemetry/api'
import type { Json } from '@parley/core'
import { ATTRIBUTE } from './attribute-names.ts'

type JsonObject = Readonly<Record<string, Json>>

/** The event of a score in the conventions. */
export const EVALUATION_EVENT = 'gen_ai.evaluation.result'

/** Returns the attributes of a trial of an eval, from the metadata that `runEval` of `@parley/evals` gives its run. */
export function evalAttributes(metadata: JsonObject | undefined): Attributes | undefined {
  const { 'parley.eval': given } = metadata ?? {}
  if (!isObject(given)) return undefined
  const { name, case: id, trial } = given
  if (typeof name !== 'string' || typeof id !== 'string' || typeof trial !== 'number') return undefined
  return { [ATTRIBUTE.evalName]: name, [ATTRIBUTE.evalCase]: id, [ATTRIBUTE.evalTrial]: trial }
}

/**
 * Returns the attributes of each score in the output of a trial.
 * @param content Whether the reasons are included, which may quote the output.
 */
export function scoreAttributes(output: Json, content: boolean): readonly Attributes[] {
  const { result } = isObject(output) ? output : {}
  const { scores } = isObject(result) ? result : {}
  return (Array.isArray(scores) ? scores : []).filter(isObject).map(({ name, score, reason, error }) => ({
    ...(typeof name === 'string' ? { [ATTRIBUTE.evaluationName]: name } : {}),
    ...(typeof score === 'number' ? { [ATTRIBUTE.evaluationScore]: score } : {}),
    ...(typeof error === 'string' ? { [ATTRIBUTE.errorType]: 'score' } : {}),
    ...reasonAttribute(content ? (error ?? reason) : undefined),
  }))
}

function reasonAttribute(reason: Json | undefined): Attributes {
  return typeof reason === 'string' ? { [ATTRIBUTE.evaluationReason]: reason } : {}
}

function isObject(value: Json | undefined): value is { [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

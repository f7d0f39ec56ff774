import { checkOptions, type Schema } from '@parley/core'
import { compileSchema } from '@parley/core/json-schema'
import { defineScorer, SCORER_OPTIONS, type Scorer, type ScorerOptions } from './scorer.ts'

/**
 * Whether the output fits a schema: a Standard Schema (zod, valibot, arktype, …) or a JSON Schema. A text is read as JSON, if it is.
 * @throws ParleyError `config-invalid` if a JSON Schema is invalid.
 */
export function matchesSchema(schema: Schema, options: ScorerOptions = {}): Scorer {
  checkOptions('matchesSchema', options, SCORER_OPTIONS)
  const validate = compileSchema(schema)
  return defineScorer({
    name: options.name ?? 'matchesSchema',
    threshold: options.threshold,
    async score({ output }) {
      const result = await validate(typeof output === 'string' ? parsed(output) : output)
      if (result.ok) return true
      const reason = result.issues
        .map(({ path, message }) => `${path === '' ? 'the output' : path}: ${message}`)
        .join('; ')
      return { score: false, reason }
    },
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

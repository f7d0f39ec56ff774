import { ParleyError } from '@parley/core'
import type { PromptyAgent } from './prompty-agent.ts'

/** Values of a prompt's inputs, by name. */
export type PromptyInputs = Readonly<Record<string, unknown>>

/**
 * Fills in the defaults of missing inputs. Values are not checked against their kinds, and undeclared inputs are kept.
 * @throws ParleyError `config-invalid` if a required input is missing.
 */
export function validateInputs({ inputs, path = 'prompt' }: PromptyAgent, given: PromptyInputs = {}): PromptyInputs {
  const values: Record<string, unknown> = { ...given }
  for (const { name, required = false, default: initial } of inputs) {
    if (Object.hasOwn(values, name) && values[name] !== undefined) continue
    delete values[name]
    if (initial !== undefined) values[name] = initial
    else if (required)
      throw new ParleyError({
        code: 'config-invalid',
        path: `${path} inputs.${name}`,
        detail: `Missing required input '${name}'. Give it a value, or a default in the file.`,
      })
  }
  return values
}

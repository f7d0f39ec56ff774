import type { ErrorInfo, Limits } from '@parley/core'
import type { Agent } from './agent.ts'

/**
 * Returns the error for a cost limit that cannot be enforced because the model's prices are unknown. `undefined` if
 * there is no such limit or the prices are known.
 */
export function unpricedModel(
  { name, model }: Pick<Agent, 'name' | 'model'>,
  { maxCost }: Limits,
): Extract<ErrorInfo, { code: 'config-invalid' }> | undefined {
  // Only the runtime knows which model a name means; it checks again then.
  if (maxCost === undefined || typeof model !== 'object' || model.info.pricing !== undefined) return undefined
  const detail = `cannot be enforced: the prices of ${model.provider}/${model.id} are unknown`
  return { code: 'config-invalid', path: `agents.${name}.limits.maxCost`, detail }
}

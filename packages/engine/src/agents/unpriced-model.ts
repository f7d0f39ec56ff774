import type { ErrorInfo, Limits } from '@parley/core'
import type { Agent } from '../runtime/agent.ts'

/** Why a limit of cost cannot be kept for an agent: nobody knows what its model costs. Undefined when it can. */
export function unpricedModel(
  { name, model }: Agent,
  { maxCost }: Limits,
): Extract<ErrorInfo, { code: 'config-invalid' }> | undefined {
  if (maxCost === undefined || model.info.pricing !== undefined) return undefined
  const detail = `cannot be kept: the prices of ${model.provider}/${model.id} are not known`
  return { code: 'config-invalid', path: `agents.${name}.limits.maxCost`, detail }
}

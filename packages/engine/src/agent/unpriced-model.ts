import type { ErrorInfo, Limits } from '@parley/core'
import type { Agent } from './agent.ts'

/** Why a limit of cost cannot be kept for an agent: nobody knows what its model costs. Undefined when it can. */
export function unpricedModel(
  { name, model }: Pick<Agent, 'name' | 'model'>,
  { maxCost }: Limits,
): Extract<ErrorInfo, { code: 'config-invalid' }> | undefined {
  // Which model a name means is known to the runtime alone, which looks then.
  if (maxCost === undefined || typeof model !== 'object' || model.info.pricing !== undefined) return undefined
  const detail = `cannot be kept: the prices of ${model.provider}/${model.id} are not known`
  return { code: 'config-invalid', path: `agents.${name}.limits.maxCost`, detail }
}

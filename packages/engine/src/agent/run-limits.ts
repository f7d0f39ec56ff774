import { type Limits, ParleyError } from '@parley/core'
import { checkLimits } from './limits.ts'
import type { PreparedAgent } from './prepare-agent.ts'
import { unpricedModel } from './unpriced-model.ts'
import { withoutUndefined } from './without-undefined.ts'

/** Returns the agent with a run's limits, which override its own field by field. */
export function withLimits(agent: PreparedAgent, limits: Limits | undefined): PreparedAgent {
  if (limits === undefined) return agent
  const { policy } = agent
  return { ...agent, policy: { ...policy, limits: { ...policy.limits, ...withoutUndefined(limits) } } }
}

/**
 * Checks the limits of a run.
 * @throws ParleyError `config-invalid` if a limit is invalid, or if the agent's model has no prices for `maxCost`.
 */
export function checkRunLimits(limits: Limits, { definition }: PreparedAgent): void {
  checkLimits(limits, 'limits')
  const unpriced = unpricedModel(definition, limits)
  if (unpriced !== undefined) throw new ParleyError({ ...unpriced, path: 'limits.maxCost' })
}

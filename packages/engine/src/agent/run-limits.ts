import { type AgentSnapshot, type Limits, ParleyError } from '@parley/core'
import { checkLimits } from './limits.ts'
import type { PreparedAgent } from './prepare-agent.ts'
import { unpricedModel } from './unpriced-model.ts'
import { withoutUndefined } from './without-undefined.ts'

/** Limits in a journal. JSON has no infinity, so no limit is the text `unlimited`. */
export type KeptLimits = AgentSnapshot['limits']

/** Returns the limits as a journal keeps them. */
export function keepLimits(limits: Limits): KeptLimits {
  const given = Object.entries(withoutUndefined(limits))
  return Object.fromEntries(given.map(([name, max]) => [name, Number.isFinite(max) ? max : 'unlimited']))
}

/** Returns the limits that a journal keeps. */
export function readLimits(kept: KeptLimits): Limits {
  const given = Object.entries(withoutUndefined(kept))
  return Object.fromEntries(given.map(([name, max]) => [name, max === 'unlimited' ? Infinity : max]))
}

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

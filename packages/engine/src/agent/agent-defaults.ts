import { checkDuration, checkRetryPolicy, refuseOption } from '@parley/core'
import type { Agent } from './agent.ts'
import { checkSettings } from './check-settings.ts'
import { checkLimits } from './limits.ts'
import { checkPermissions } from './permission-policy.ts'

/** Defaults for the agents of a runtime. Limits and settings apply field by field. */
export type AgentDefaults = Pick<
  Agent,
  'model' | 'limits' | 'onLimit' | 'toolExecution' | 'toolTimeoutMs' | 'permissions' | 'settings' | 'retry'
>

/** @throws ParleyError `config-invalid` naming the field that makes no sense. */
export function checkBehaviour(behaviour: Partial<AgentDefaults>, path: string): void {
  const { onLimit = 'stop', toolExecution: execution = 'parallel', toolTimeoutMs, limits = {}, permissions } = behaviour
  checkSettings(behaviour.settings ?? {}, `${path}.settings`)
  checkRetryPolicy(behaviour.retry ?? {}, `${path}.retry`)
  if (!['stop', 'fail', 'answer'].includes(onLimit)) {
    refuseOption(`${path}.onLimit`, `is '${onLimit}'; must be stop, fail or answer`)
  }
  const batch = typeof execution === 'object' ? execution.batch : 1
  if (!(Number.isInteger(batch) && batch > 0))
    refuseOption(`${path}.toolExecution.batch`, `is ${batch}; must be a positive integer`)
  if (typeof execution !== 'object' && execution !== 'parallel' && execution !== 'sequential')
    refuseOption(`${path}.toolExecution`, `is '${String(execution)}'; must be parallel, sequential or { batch }`)
  if (toolTimeoutMs === 0) refuseOption(`${path}.toolTimeoutMs`, 'is 0; must be above 0')
  checkDuration({ toolTimeoutMs }, path)
  checkLimits(limits, `${path}.limits`)
  if (permissions !== undefined) checkPermissions(permissions, `${path}.permissions`)
}

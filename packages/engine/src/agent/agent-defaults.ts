import { checkRetryPolicy, ParleyError, checkDuration } from '@parley/core'
import type { Agent } from './agent.ts'
import { checkSettings } from './check-settings.ts'
import { checkLimits } from './limits.ts'
import { checkPermissions } from './permission-policy.ts'

/** What agents of a runtime do where they say nothing themselves. Limits are taken one by one. */
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
    refuse(`${path}.onLimit`, `is '${onLimit}', it must be stop, fail or answer`)
  }
  const batch = typeof execution === 'object' ? execution.batch : 1
  if (!(Number.isInteger(batch) && batch > 0))
    refuse(`${path}.toolExecution.batch`, `is ${batch}, it must be a whole number above 0`)
  if (typeof execution !== 'object' && execution !== 'parallel' && execution !== 'sequential')
    refuse(`${path}.toolExecution`, `is '${String(execution)}', it must be parallel, sequential or { batch }`)
  if (toolTimeoutMs === 0) refuse(`${path}.toolTimeoutMs`, 'is 0, it must be above 0')
  checkDuration({ toolTimeoutMs }, path)
  checkLimits(limits, `${path}.limits`)
  if (permissions !== undefined) checkPermissions(permissions, `${path}.permissions`)
}

function refuse(path: string, detail: string): never {
  throw new ParleyError({ code: 'config-invalid', path, detail })
}

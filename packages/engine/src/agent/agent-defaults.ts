import { checkDuration, checkRetryPolicy, refuseOption, type Middleware, type OptionKinds } from '@parley/core'
import type { Agent } from './agent.ts'
import { checkSettings, SETTINGS } from './check-settings.ts'
import { checkLimits, LIMITS } from './limits.ts'
import { checkPermissions } from './permission-policy.ts'

/**
 * Defaults for the agents of a runtime. Limits and settings apply field by field. `middleware` is for all agents: it comes
 * before the middleware of the agent, and sees a call first and its result last.
 */
export type AgentDefaults = Pick<
  Agent,
  | 'model'
  | 'limits'
  | 'onLimit'
  | 'toolExecution'
  | 'toolTimeoutMs'
  | 'permissions'
  | 'settings'
  | 'retry'
  | 'clientTools'
  | 'middleware'
>

/** Types of the fields that agents and the defaults of a runtime have in common. */
export const DEFAULTS: OptionKinds<AgentDefaults> = {
  model: 'model or string',
  limits: LIMITS,
  onLimit: ['stop', 'fail', 'answer'],
  toolExecution: 'string or object',
  toolTimeoutMs: 'number',
  permissions: 'list',
  settings: SETTINGS,
  retry: 'object',
  clientTools: ['accept', 'refuse'],
  middleware: 'list',
}

/**
 * Checks the fields that agents share with the defaults of a runtime.
 * @throws ParleyError `config-invalid` with the path of the invalid field.
 */
export function checkBehaviour(behaviour: Partial<AgentDefaults>, path: string): void {
  const { toolExecution: execution = 'parallel', toolTimeoutMs, limits = {}, permissions } = behaviour
  checkSettings(behaviour.settings ?? {}, `${path}.settings`)
  checkRetryPolicy(behaviour.retry ?? {}, `${path}.retry`)
  const batch = typeof execution === 'object' ? execution.batch : 1
  if (!(Number.isInteger(batch) && batch > 0))
    refuseOption(`${path}.toolExecution.batch`, `is ${batch}; must be a positive integer`)
  if (typeof execution !== 'object' && execution !== 'parallel' && execution !== 'sequential')
    refuseOption(`${path}.toolExecution`, `is '${String(execution)}'; must be parallel, sequential or { batch }`)
  if (toolTimeoutMs === 0) refuseOption(`${path}.toolTimeoutMs`, 'is 0; must be above 0')
  checkDuration({ toolTimeoutMs }, path)
  checkLimits(limits, `${path}.limits`)
  checkMiddleware(behaviour.middleware, `${path}.middleware`)
  if (permissions !== undefined) checkPermissions(permissions, `${path}.permissions`)
}

function checkMiddleware(middleware: AgentDefaults['middleware'] = [], path: string): void {
  for (const [index, stage] of middleware.entries()) {
    if (typeof (stage as Partial<Middleware> | undefined)?.begin !== 'function')
      refuseOption(`${path}[${index}]`, 'must have a begin function')
  }
}

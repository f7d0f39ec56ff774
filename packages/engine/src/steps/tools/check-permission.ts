import { toolAsk, type Permission, type PermissionRule, type RunFacts, type Tool, type ToolOutcome } from '@parley/core'
import { sameJson } from '@parley/core/json-schema'
import { refuseCall } from './call-outcome.ts'
import type { CallState } from '../../journal/run-state.ts'

type AskRule = Extract<PermissionRule, { effect: 'ask' }>

export interface PermissionRequest {
  readonly tool: Tool
  /** The tool's permission, or that of the agent's permission rules. */
  readonly permission: Permission | undefined
  /** The input before validation: what an approver sees and approves. */
  readonly given: unknown
  readonly validated: unknown
  readonly state: CallState
  readonly run: RunFacts
}

/** The outcome of a call that may not run. `undefined` if it may run. */
export function checkPermission({
  tool,
  permission = 'allow',
  given,
  validated,
  state,
  run,
}: PermissionRequest): ToolOutcome | undefined {
  const rule = typeof permission === 'function' ? permission(validated, run) : permission
  if (rule === 'allow') return undefined
  if (rule === 'deny') return denied(tool, 'it is not permitted to this agent.')
  if (rule !== 'ask' && rule.effect === 'allow') {
    if (rule.roles.some(role => run.principal?.roles.includes(role))) return undefined
    return denied(tool, `it needs one of these roles: ${rule.roles.join(', ')}.`)
  }
  if (isApproved(state, given)) return undefined
  return ask(tool, given, rule)
}

/**
 * Returns whether the call is approved with this input. An approval holds for one call and one input, so input that a
 * middleware rewrote needs a new approval.
 */
function isApproved({ approval }: CallState, input: unknown): boolean {
  const { decision, request } = approval ?? {}
  if (decision?.type === 'modified') return sameJson(decision.input, input)
  return decision?.type === 'approved' && sameJson(request?.input, input)
}

function ask({ name }: Tool, input: unknown, rule: 'ask' | AskRule): ToolOutcome {
  const { prompt, roles, expiresInMs }: Partial<AskRule> = rule === 'ask' ? {} : rule
  return toolAsk(prompt ?? `Run '${name}' with ${JSON.stringify(input)}?`, { roles, expiresInMs })
}

function denied({ name }: Tool, reason: string): ToolOutcome {
  return refuseCall({ code: 'tool-denied', tool: name, reason })
}

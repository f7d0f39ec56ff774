import type { SystemPart } from '@parley/core'
import type { QuotaHolder } from '../quota/quota-holder.ts'
import { createPermissionPolicy, type PermissionPolicy } from './permission-policy.ts'
import type { ResolvedAgent } from './resolve-agent.ts'
import type { Policy } from '../journal/decide.ts'
import { createToolShelf, type ToolShelf } from '../tools/tool-set.ts'

/** An agent with everything worked out that every run of it shares. */
export interface PreparedAgent {
  readonly agent: ResolvedAgent
  /** `provider/id`. */
  readonly modelName: string
  readonly system: readonly SystemPart[]
  readonly policy: Policy
  readonly shelf: ToolShelf
  /** Most calls at once within one answer. */
  readonly batchSize: number
  /** Undefined when every tool's own permission counts. */
  readonly permissionOf: PermissionPolicy | undefined
  /** Whose quotas its runs count for, the agent's own first; empty for most. */
  readonly quotas: readonly QuotaHolder[]
}

/** @throws ParleyError `config-invalid`, `tool-schema-invalid`. */
export function prepareAgent(agent: ResolvedAgent, quotas: readonly QuotaHolder[]): PreparedAgent {
  const {
    instructions = [],
    model,
    tools,
    permissions = [],
    limits = {},
    onLimit = 'stop',
    toolExecution = 'parallel',
  } = agent
  return {
    agent,
    modelName: `${model.provider}/${model.id}`,
    system: typeof instructions === 'string' ? [{ text: instructions }] : instructions,
    policy: { limits, onLimit },
    shelf: createToolShelf(tools, `agents.${agent.name}.tools`),
    batchSize: batchSize(toolExecution),
    permissionOf: permissions.length === 0 ? undefined : createPermissionPolicy(permissions),
    quotas,
  }
}

function batchSize(execution: NonNullable<ResolvedAgent['toolExecution']>): number {
  if (typeof execution === 'object') return execution.batch
  return execution === 'sequential' ? 1 : Infinity
}

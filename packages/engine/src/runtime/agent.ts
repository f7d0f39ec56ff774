import {
  ParleyError,
  type ApprovalDecision,
  type ApprovalRequest,
  type Middleware,
  type Model,
  type ModelSettings,
  type RunFacts,
  type SystemPart,
  type Tool,
  type ToolSource,
} from '@parley/core'
import { checkBehaviour } from './agent-defaults.ts'
import type { Limits } from '../journal/limits.ts'
import type { PermissionPolicyRule } from './permission-policy.ts'
import { checkQuota, type Quota } from '../quota/quota.ts'

/** Who answers: a model with instructions and tools. Plain data, shared by any number of runs. */
export interface Agent {
  /** Unique in a runtime; journals refer to it. */
  readonly name: string
  /** What the model is told before everything else. @default none */
  readonly instructions?: string | readonly SystemPart[] | undefined
  /** The model, or its name in the runtime: one of `models`, or `provider/id`. @default the runtime's default */
  readonly model?: Model | string | undefined
  /** Tools, sources of tools, and names of those the runtime knows. @default none */
  readonly tools?: readonly (Tool | ToolSource | string)[] | undefined
  /** @default 50 turns, 1,000,000 tokens, 10 minutes */
  readonly limits?: Limits | undefined
  /** At a limit: `stop` ends with outcome `limit`, `fail` ends as failed, `answer` first lets the model answer without tools. @default 'stop' */
  readonly onLimit?: 'stop' | 'fail' | 'answer' | undefined
  /** How the calls of one answer run; a number is the size of batches. @default 'parallel' */
  readonly toolExecution?: 'parallel' | 'sequential' | { readonly batch: number } | undefined
  /** For tools that name none. @default none */
  readonly toolTimeoutMs?: number | undefined
  /** The first one sees a call first. @default none */
  readonly middleware?: readonly Middleware[] | undefined
  readonly settings?: ModelSettings | undefined
  /** Whether calls of tools may run: the first rule that fits a tool's name counts in the place of the tool's own permission. @default the tools' own */
  readonly permissions?: readonly PermissionPolicyRule[] | undefined
  /** What all runs of this agent in a runtime may take together, besides the runtime's own quota. @default unlimited */
  readonly quota?: Quota | undefined
  /**
   * Decides about calls that need a person's approval, while the run waits in this process. Without one, the run is
   * suspended in its store until `runtime.decide`; without a store either, such a call is refused.
   */
  readonly onApproval?: ApprovalHandler | undefined
}

export type ApprovalHandler = (
  request: ApprovalRequest,
  options: { readonly run: RunFacts; readonly signal: AbortSignal },
) => Promise<ApprovalDecision> | ApprovalDecision

const FIELDS = new Set<string>([
  'name',
  'instructions',
  'model',
  'tools',
  'limits',
  'onLimit',
  'toolExecution',
  'toolTimeoutMs',
  'middleware',
  'settings',
  'permissions',
  'quota',
  'onApproval',
])

/**
 * Checks an agent's definition and gives it back.
 * @throws ParleyError `config-invalid` naming the field that makes no sense.
 */
export function defineAgent(agent: Agent): Agent {
  const path = `agents.${agent.name}`
  if (typeof agent.name !== 'string' || agent.name.trim() === '') refuse('agents', 'an agent has no name')
  for (const field of Object.keys(agent)) if (!FIELDS.has(field)) refuse(`${path}.${field}`, 'is no field of an agent')
  const { model } = agent
  if (typeof model === 'string' ? model === '' : model !== undefined && typeof model?.stream !== 'function') {
    refuse(`${path}.model`, 'is no model')
  }
  checkBehaviour(agent, path)
  if (agent.quota !== undefined) checkQuota(agent.quota, `${path}.quota`)
  if (model !== undefined && typeof model !== 'string') checkPriced(model, agent.limits ?? {}, `${path}.limits`)
  return agent
}

/** @throws ParleyError `config-invalid` for a limit of cost where the model's prices are not known. */
export function checkPriced({ provider, id, info }: Model, { maxCost }: Limits, path: string): void {
  if (maxCost === undefined || info.pricing !== undefined) return
  refuse(`${path}.maxCost`, `cannot be kept: the prices of ${provider}/${id} are not known`)
}

function refuse(path: string, detail: string): never {
  throw new ParleyError({ code: 'config-invalid', path, detail })
}

import {
  ParleyError,
  type ApprovalDecision,
  type ApprovalRequest,
  type ContextPolicy,
  type Middleware,
  type Model,
  type ModelSettings,
  type RunFacts,
  type SystemPart,
  type TokenCounter,
  type Tool,
  type ToolSource,
} from '@parley/core'
import { checkLimits, type Limits } from '../journal/limits.ts'

/** Who answers: a model with instructions and tools. Plain data, shared by any number of runs. */
export interface Agent {
  /** Unique in a runtime; journals refer to it. */
  readonly name: string
  /** What the model is told before everything else. @default none */
  readonly instructions?: string | readonly SystemPart[] | undefined
  readonly model: Model
  /** @default none */
  readonly tools?: readonly (Tool | ToolSource)[] | undefined
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
  /**
   * What of a long conversation is still sent. The journal and the result keep all of it.
   * @default slidingWindow(): the newest 100 messages, within the model's window when it is known
   */
  readonly context?: ContextPolicy | 'none' | undefined
  /** Counts for the context policy. @default an estimate, corrected by what the provider counted */
  readonly tokenCounter?: TokenCounter | undefined
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
  'context',
  'tokenCounter',
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
  if (typeof agent.model?.stream !== 'function') refuse(`${path}.model`, 'is no model')
  if (!['stop', 'fail', 'answer'].includes(agent.onLimit ?? 'stop')) {
    refuse(`${path}.onLimit`, `is '${agent.onLimit}', it must be stop, fail or answer`)
  }
  const { toolExecution: execution = 'parallel', toolTimeoutMs } = agent
  const batch = typeof execution === 'object' ? execution.batch : 1
  if (!(Number.isInteger(batch) && batch > 0))
    refuse(`${path}.toolExecution.batch`, `is ${batch}, it must be a whole number above 0`)
  if (toolTimeoutMs !== undefined && !(toolTimeoutMs > 0))
    refuse(`${path}.toolTimeoutMs`, `is ${toolTimeoutMs}, it must be above 0`)
  const { context = 'none', tokenCounter } = agent
  if (context !== 'none' && (typeof context.due !== 'function' || typeof context.compact !== 'function'))
    refuse(`${path}.context`, `is neither a context policy nor 'none'`)
  if (tokenCounter !== undefined && typeof tokenCounter.count !== 'function')
    refuse(`${path}.tokenCounter`, 'is no token counter')
  checkLimits(agent.limits ?? {}, `${path}.limits`)
  if (agent.limits?.maxCost !== undefined && agent.model.info.pricing === undefined) {
    refuse(
      `${path}.limits.maxCost`,
      `cannot be kept: the prices of ${agent.model.provider}/${agent.model.id} are not known`,
    )
  }
  return agent
}

function refuse(path: string, detail: string): never {
  throw new ParleyError({ code: 'config-invalid', path, detail })
}

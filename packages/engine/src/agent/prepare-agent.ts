import { type AgentSnapshot, type Limits, type ModelSettings, ParleyError } from '@parley/core'
import { snapshotOf } from './agent-snapshot.ts'
import { checkSettings } from './check-settings.ts'
import { prepareContext, type AgentContext, contextBudget } from './context/agent-context.ts'
import { prepareInputQueue, type InputQueuePolicy } from './input-queue.ts'
import { prepareInstructions, type PreparedInstructions } from './instructions/instructions.ts'
import { prepareOutput, type PreparedOutput } from './output/prepare-output.ts'
import { createPermissionPolicy, type PermissionPolicy } from './permission-policy.ts'
import type { QuotaHolder } from './quota/quota-holder.ts'
import type { ResolvedAgent } from './resolve-agent.ts'
import { handoffTools } from './tools/handoff-tools.ts'
import { createToolbox, type Toolbox } from './tools/tool-set.ts'
import { checkDescribed, withDescriptions } from './tools/with-descriptions.ts'
import { prepareTruncation, type Truncation } from './truncated-answer.ts'
import { withoutUndefined } from './without-undefined.ts'

/** The fields of an agent's definition that `decide` needs, with their defaults. */
export interface RunPolicy {
  readonly limits: Limits
  readonly onLimit: 'stop' | 'fail' | 'answer'
  readonly truncation: Truncation
  readonly queue: InputQueuePolicy
  readonly output: PreparedOutput | undefined
  readonly compacts: boolean
}

/** An agent, prepared once for all its runs. */
export interface PreparedAgent {
  readonly definition: ResolvedAgent
  /** Name of the model, as `provider/id`. */
  readonly modelName: string
  readonly instructions: PreparedInstructions
  /** Describes the agent as its author defined it, without settings of a run. The same object at each call. */
  readonly snapshot: () => AgentSnapshot
  readonly policy: RunPolicy
  readonly toolbox: Toolbox
  readonly settings: ModelSettings
  /** The structured output that ends the run. `undefined` if any text ends it. */
  readonly output: PreparedOutput | undefined
  /** Largest number of tool calls of one answer that run at the same time. */
  readonly batchSize: number
  /** How requests are kept within bounds. `undefined` if the whole transcript is always sent. */
  readonly context: AgentContext | undefined
  /** The agent's permissions of tools. `undefined` if the tools' own permissions apply. */
  readonly permissionOf: PermissionPolicy | undefined
  /** The quotas that its runs count for. The agent's own quota comes first. */
  readonly quotas: readonly QuotaHolder[]
}

/**
 * Prepares an agent for its runs: checks its fields, compiles its tools and fills in defaults.
 * @throws ParleyError `config-invalid`, `tool-schema-invalid`.
 */
export function prepareAgent(agent: ResolvedAgent, quotas: readonly QuotaHolder[]): PreparedAgent {
  const { instructions = [], model, tools, limits = {}, onLimit = 'stop', toolExecution = 'parallel' } = agent
  const { permissions = [], handoffs = [], onTruncated } = agent
  const path = `agents.${agent.name}`
  const truncation = prepareTruncation(onTruncated, `${path}.onTruncated`, tools.length + handoffs.length > 0)
  const output = prepareOutput({ ...agent, info: model.info }, path)
  const queue = prepareInputQueue(agent.queue ?? {}, `${path}.queue`)
  const context = prepareContext(agent)
  const prompt = prepareInstructions(instructions, `${path}.instructions`)
  return {
    definition: agent,
    context,
    modelName: `${model.provider}/${model.id}`,
    instructions: prompt,
    snapshot: snapshotOf({ definition: agent, instructions: prompt, context }),
    policy: { limits, onLimit, truncation, queue, output, compacts: context !== undefined },
    output,
    settings: output?.format === undefined ? (agent.settings ?? {}) : { ...agent.settings, output: output.format },
    toolbox: openToolbox(agent, output, path),
    batchSize: batchSize(toolExecution),
    permissionOf: permissions.length === 0 ? undefined : createPermissionPolicy(permissions),
    quotas,
  }
}

function openToolbox(agent: ResolvedAgent, output: PreparedOutput | undefined, path: string): Toolbox {
  const { toolDescriptions = {} } = agent
  const tools = [...agent.tools, ...handoffTools(agent), ...(output?.tool === undefined ? [] : [output.tool])]
  const names = tools.flatMap(tool => ('tools' in tool ? [] : [tool.name]))
  // The tools of a source are unknown before it is asked.
  if (names.length === tools.length) checkDescribed(toolDescriptions, names, `${path}.toolDescriptions`)
  return withDescriptions(createToolbox(tools, `${path}.tools`), toolDescriptions)
}

function batchSize(execution: NonNullable<ResolvedAgent['toolExecution']>): number {
  if (typeof execution === 'object') return execution.batch
  return execution === 'sequential' ? 1 : Infinity
}

/** Returns the agent with a run's settings, which override its own. The setting of its output schema stays. */
export function withSettings(prepared: PreparedAgent, { output, ...given }: ModelSettings): PreparedAgent {
  const { definition, context } = prepared
  const over = withoutUndefined(prepared.output === undefined ? { output, ...given } : given)
  const changed = { ...definition, settings: { ...definition.settings, ...over } }
  return {
    ...prepared,
    definition: changed,
    settings: { ...prepared.settings, ...over },
    context: context === undefined ? undefined : { ...context, budget: contextBudget(changed) },
  }
}

/**
 * Checks the settings of a run.
 * @throws ParleyError `config-invalid` if a run of this agent cannot have the settings.
 */
export function checkRunSettings(settings: ModelSettings, { definition, output }: PreparedAgent): void {
  checkSettings(settings, 'settings')
  if (settings.output === undefined || output === undefined) return
  const detail = `must be left out: the output schema of agent '${definition.name}' sets it`
  throw new ParleyError({ code: 'config-invalid', path: 'settings.output', detail })
}

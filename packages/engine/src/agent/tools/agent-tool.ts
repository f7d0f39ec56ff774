import {
  defineTool,
  describeError,
  describeIncomplete,
  toolError,
  toolOk,
  type AgentLike,
  type DelegateResult,
  type ErrorInfo,
  type IncompleteDelegate,
  type InferSchema,
  type Limits,
  type Schema,
  type Tool,
  type ToolOutcome,
  type UserMessage,
  checkOptions,
  type OptionKinds,
} from '@parley/core'
import { limitNote } from '../limits.ts'
import type { Agent } from '../agent.ts'

/** Options of `agentTool`. */
export interface AgentToolOptions {
  /** Name of the tool. @default the agent's name, with `_` instead of characters that a tool name cannot have */
  readonly name?: string | undefined
  /** Tells the calling model what the tool does. @default the agent's description */
  readonly description?: string | undefined
  /** Limits in addition to the agent's own. @default none */
  readonly limits?: Limits | undefined
  /** Milliseconds after which a call is stopped. @default the calling agent's `toolTimeoutMs` */
  readonly timeoutMs?: number | undefined
}

/** Input of an agent that is used as a tool, made from arguments of a schema. */
export interface AgentToolInput<TSchema extends Schema> {
  /** The arguments that the calling model fills in. */
  readonly input: TSchema
  /** Creates the agent's input from the arguments. */
  readonly toInput: (input: InferSchema<TSchema>) => string | UserMessage
}

const TASK = {
  type: 'object',
  properties: { task: { type: 'string', description: 'What to do, with everything needed to do it.' } },
  required: ['task'],
  additionalProperties: false,
} as const

const OPTIONS: OptionKinds<AgentToolOptions & AgentToolInput<Schema>> = {
  name: 'string',
  description: 'string',
  limits: 'object',
  timeoutMs: 'number',
  input: 'schema',
  toInput: 'function',
}

/**
 * Creates a tool that runs an agent. Each call is a child run, whose last answer is the result. If the child run does
 * not complete, the result is an error. After a crash the same child run is resumed, so the effect of the tool is
 * `idempotent`.
 * @param agent A name that the runtime knows, or a definition.
 * @throws ParleyError `config-invalid`, as `defineTool`.
 */
export function agentTool(agent: string | Agent, options?: AgentToolOptions): Tool<unknown, string>
export function agentTool<const TSchema extends Schema>(
  agent: string | Agent,
  options: AgentToolOptions & AgentToolInput<TSchema>,
): Tool<unknown, string>
export function agentTool(
  agent: string | Agent,
  options: AgentToolOptions & Partial<AgentToolInput<Schema>> = {},
): Tool<unknown, string> {
  checkOptions('agentTool', options, OPTIONS)
  const known: AgentLike & Pick<Agent, 'description'> = typeof agent === 'string' ? { name: agent } : agent
  const { name = known.name.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 64), limits, timeoutMs } = options
  const { description = known.description ?? `Gives a task to the agent '${known.name}' and returns its answer.` } =
    options
  const { input: schema = TASK, toInput = toTask } = options
  const tool = defineTool<Schema, string>({
    name,
    description,
    input: schema,
    effect: 'idempotent',
    timeoutMs,
    async execute(input, { delegate }) {
      if (delegate === undefined) return toolError(`No runtime is there to run the agent '${known.name}'.`)
      return toOutcome(await delegate({ agent, input: toInput(input), limits }), known.name)
    },
  })
  // A symbol survives a copy of the tool, such as the one that a middleware changes, and two copies of this package.
  return Object.assign(tool, { [AGENT_TOOL]: true })
}

const AGENT_TOOL = Symbol.for('@parley/agent-tool')

/** Whether `agentTool` made a tool, or the tool that it was copied from: its calls only start child runs. */
export function isAgentTool(tool: Pick<Tool, 'name'>): boolean {
  return AGENT_TOOL in tool
}

function toTask(input: unknown): string {
  return (input as { task: string }).task
}

function toOutcome(result: DelegateResult, agent: string): ToolOutcome {
  const { runId } = result
  if (result.status === 'completed') {
    const { text, output } = result
    if (output !== undefined) return toolOk(JSON.stringify(output), output)
    if (text.trim() === '') return toolOk(`The agent '${agent}' finished without an answer in words.`)
    return toolOk(result.finish === 'stop' ? text : `${text}\n[The answer ended early: ${result.finish}]`)
  }
  const error: ErrorInfo = { code: 'run-failed', agent, runId, status: result.status, detail: detailOf(result) }
  const last = result.partialText.trim() === '' ? '' : `\nIts last text: ${result.partialText}`
  return toolError(`${describeError(error)}${last}`, { error })
}

/** Says why the child run did not complete. The model reads the same note about a limit as the child run's own model. */
function detailOf(result: IncompleteDelegate): string {
  return result.status === 'limit' ? limitNote(result.hit) : describeIncomplete(result)
}

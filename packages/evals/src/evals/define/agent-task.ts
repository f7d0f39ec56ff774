import {
  checkOptions,
  describeIncomplete,
  ParleyError,
  type Json,
  type OptionKinds,
  type UserMessage,
} from '@parley/core'
import type { Agent } from '@parley/engine'
import type { Task } from './task.ts'

/** Options of `agentTask`. */
export interface AgentTaskOptions<in TInput> {
  /** Makes the message for the agent. @default the input, which must be a text or a message then */
  readonly toMessage?: ((input: TInput) => string | UserMessage) | undefined
  /** Values for the templates in the agent's instructions. @default none */
  readonly variables?: ((input: TInput) => Readonly<Record<string, Json>>) | undefined
}

const OPTIONS: OptionKinds<AgentTaskOptions<never>> = { toMessage: 'function', variables: 'function' }

/**
 * A task that runs an agent in a new session. The output is the agent's structured output, or the text of its answer. A run that
 * does not complete is an error of the case, as is one that asks for an approval that no `onApproval` gives.
 * @param agent A definition, or a name that the runtime knows.
 */
export function agentTask<TAgent extends Agent | string>(
  agent: TAgent,
  options?: AgentTaskOptions<string | UserMessage>,
): Task<string | UserMessage, OutputOf<TAgent>>
export function agentTask<TInput, TAgent extends Agent | string = Agent>(
  agent: TAgent,
  options: AgentTaskOptions<TInput> & Required<Pick<AgentTaskOptions<TInput>, 'toMessage'>>,
): Task<TInput, OutputOf<TAgent>>
export function agentTask(agent: Agent | string, options: AgentTaskOptions<never> = {}): Task<never> {
  checkOptions('agentTask', options, OPTIONS)
  const { toMessage = (input: unknown) => input as string | UserMessage, variables } = options
  const known = typeof agent === 'string' ? { name: agent } : agent
  return async ({ input, delegate, signal }) => {
    const result = await delegate({ agent, input: toMessage(input), variables: variables?.(input), signal })
    if (result.status === 'completed') return result.output ?? result.text
    const { runId, status } = result
    throw new ParleyError({ code: 'run-failed', agent: known.name, runId, status, detail: describeIncomplete(result) })
  }
}

/** An agent without a schema answers with text, or with whatever its JSON Schema describes. */
type OutputOf<TAgent> = TAgent extends Agent<infer TOutput> ? (unknown extends TOutput ? Json : TOutput) : Json

import {
  checkOptions,
  ParleyError,
  toErrorInfo,
  type RunEvent,
  type RunEventOf,
  type RunEventType,
  type Tool,
  type OptionKinds,
} from '@parley/core'
import type { McpAgent, McpAgentHost } from './mcp-agent-host.ts'
import { toAgentOutcome } from './to-agent-outcome.ts'

/** Options of `agentsAsTools`. */
export interface AgentsAsToolsOptions {
  /** Names of the agents to offer. @default all agents of the host */
  readonly agents?: readonly string[] | undefined
}

const INPUT = {
  type: 'object',
  properties: { input: { type: 'string', minLength: 1, description: 'The question or task for the agent.' } },
  required: ['input'],
  additionalProperties: false,
} as const

// The longest delay of a timer: the agent's own limits end the run.
const NO_TIMEOUT_MS = 2_147_483_647

const OPTIONS: OptionKinds<AgentsAsToolsOptions> = {
  agents: 'strings',
}

/**
 * Creates one tool for each agent, for `createMcpServer`. A call starts a run in a new session. The steps of the run are
 * reported as progress. The last answer is the result, with the agent's structured output if it has one. Cancelling the
 * call cancels the run. A run that does not complete is a failure of the tool. So is a run that is suspended for approval,
 * unless the agent's `onApproval` decides.
 * @throws ParleyError `agent-unknown`; `config-invalid` if two agents would become tools of the same name.
 */
export function agentsAsTools(host: McpAgentHost, options: AgentsAsToolsOptions = {}): readonly Tool[] {
  checkOptions('agentsAsTools', options, OPTIONS)
  const { agents } = options
  const offered = agents === undefined ? host.agents.list() : agents.map(name => host.agents.get(name))
  const tools = offered.map(agent => toTool(host, agent))
  for (const [index, { name }] of tools.entries()) {
    if (tools.findIndex(tool => tool.name === name) === index) continue
    throw new ParleyError({
      code: 'config-invalid',
      path: 'agents',
      detail: `two agents would become the tool '${name}'`,
    })
  }
  return tools
}

function toTool(host: McpAgentHost, { name: agent, description, output }: McpAgent): Tool {
  const name = agent.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 64)
  return {
    name,
    description: description ?? `Asks the agent '${agent}' and returns its answer.`,
    input: INPUT,
    output,
    timeoutMs: NO_TIMEOUT_MS,
    async execute(given, { signal, progress }) {
      const { input } = given as { readonly input: string }
      const run = host.run(agent, input, { signal })
      let ended = false
      // Not awaited: the result does not depend on progress, and progress after the result is an error in MCP.
      void reportProgress(run, text => ended || progress(text))
      const result = await run.result
      ended = true
      return toAgentOutcome(result, { agent, runId: run.runId })
    },
  }
}

async function reportProgress(events: AsyncIterable<RunEvent>, progress: (text: string) => void): Promise<void> {
  try {
    for await (const event of events) {
      const text = describeStep(event)
      if (text !== undefined) progress(text)
    }
  } catch (error) {
    progress(`Its steps can no longer be shown: ${toErrorInfo(error).code}`)
  }
}

type Steps = { readonly [TType in RunEventType]?: (event: RunEventOf<TType>) => string }

/** The events that are reported as progress, and their texts. */
const STEPS: Steps = {
  'run.queued': ({ ahead }) => `waits for ${ahead} other runs`,
  'model.started': ({ model, turn }) => `asks ${model} (turn ${turn})`,
  'model.retrying': ({ turn, delayMs }) => `retries turn ${turn} in ${delayMs} ms`,
  'tool.started': ({ name }) => `calls ${name}`,
  'tool.ended': ({ name, error }) => `${name} ${error === undefined ? 'answered' : 'failed'}`,
  'agent.changed': ({ to }) => `hands over to ${to}`,
  'approval.requested': () => 'waits for approval',
}

function describeStep(event: RunEvent): string | undefined {
  const describe = STEPS[event.type] as ((event: RunEvent) => string) | undefined
  return describe?.(event)
}

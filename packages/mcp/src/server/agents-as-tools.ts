import { ParleyError, toErrorInfo, type RunEvent, type RunEventOf, type RunEventType, type Tool } from '@parley/core'
import type { McpAgent, McpAgentHost } from './mcp-agent-host.ts'
import { toAgentOutcome } from './to-agent-outcome.ts'

export interface AgentsAsToolsOptions {
  /** Names of those that are offered. @default all that the host knows */
  readonly agents?: readonly string[] | undefined
}

const INPUT = {
  type: 'object',
  properties: { input: { type: 'string', minLength: 1, description: 'What the agent is asked or told to do.' } },
  required: ['input'],
  additionalProperties: false,
} as const

// What a timer can wait for: an agent has a limit of its own.
const NO_TIMEOUT_MS = 2_147_483_647

/**
 * Agents as tools to be served, one each: a call is a run in a session of its own. What it does is told as progress, its
 * last answer is the result, with the agent's structured output where it has one; cancelling the call cancels the run. A
 * run that ends otherwise than completed is a failure of the tool, one that waits for a person as well: `onApproval` of
 * the agent may decide meanwhile.
 * @throws ParleyError `agent-unknown`; `config-invalid` for two agents whose names come to the same.
 */
export function agentsAsTools(host: McpAgentHost, { agents }: AgentsAsToolsOptions = {}): readonly Tool[] {
  const offered = agents === undefined ? host.agents.list() : agents.map(name => host.agents.get(name))
  const tools = offered.map(agent => toTool(host, agent))
  for (const [index, { name }] of tools.entries()) {
    if (tools.findIndex(tool => tool.name === name) === index) continue
    throw new ParleyError({ code: 'config-invalid', path: 'agents', detail: `two agents would be the tool '${name}'` })
  }
  return tools
}

function toTool(host: McpAgentHost, { name: agent, description, output }: McpAgent): Tool {
  const name = agent.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 64)
  return {
    name,
    description: description ?? `Asks the agent '${agent}' and gives its answer.`,
    input: INPUT,
    output,
    timeoutMs: NO_TIMEOUT_MS,
    async execute(given, { signal, progress }) {
      const { input } = given as { readonly input: string }
      const run = host.run(agent, input, { signal })
      let over = false
      // Nobody waits for what is only told, and nobody listens after the result.
      void tellProgress(run, words => over || progress(words))
      const result = await run.result
      over = true
      return toAgentOutcome(result, { agent, runId: run.runId })
    },
  }
}

async function tellProgress(events: AsyncIterable<RunEvent>, progress: (words: string) => void): Promise<void> {
  try {
    for await (const event of events) {
      const words = describeStep(event)
      if (words !== undefined) progress(words)
    }
  } catch (error) {
    progress(`Its steps cannot be seen any more: ${toErrorInfo(error).code}`)
  }
}

type Steps = { readonly [TType in RunEventType]?: (event: RunEventOf<TType>) => string }

/** What somebody who waits wants to know; not every event is a step. */
const STEPS: Steps = {
  'run.queued': ({ ahead }) => `waits for ${ahead} other runs`,
  'model.started': ({ model, turn }) => `asks ${model} (turn ${turn})`,
  'model.retrying': ({ turn, delayMs }) => `tries turn ${turn} again in ${delayMs} ms`,
  'tool.started': ({ name }) => `calls ${name}`,
  'tool.ended': ({ name, error }) => `${name} ${error === undefined ? 'answered' : 'failed'}`,
  'agent.changed': ({ to }) => `hands over to ${to}`,
  'approval.requested': () => 'waits for a person',
}

function describeStep(event: RunEvent): string | undefined {
  const describe = STEPS[event.type] as ((event: RunEvent) => string) | undefined
  return describe?.(event)
}

import type { Tool, ToolContext, ToolSource } from '@parley/core'
import { isAgentTool, type Agent } from '@parley/engine'
import type { RecordedResults, ResultMiss } from '../history/index.ts'

export interface AnswerFromHistoryOptions {
  readonly results: RecordedResults
  /** Whether `read` tools run if history has no result. No other tool ever runs. */
  readonly allowRead: boolean
  /** Called with a call whose result history does not have. The run must stop. */
  readonly onMiss: (miss: ResultMiss) => void
  /** Changes an agent before its tools are replaced. */
  readonly change: (agent: Agent) => Agent
}

/**
 * Returns a function that replaces the tools of an agent, and of the agents that it delegates or hands over to, by tools that
 * return what history has.
 */
export function answerFromHistory(options: AnswerFromHistoryOptions): (agent: Agent) => Agent {
  const { results, allowRead, onMiss, change } = options
  const replaced = new Map<Agent, Agent>()

  function replaceAgent(agent: Agent): Agent {
    const known = replaced.get(agent)
    if (known !== undefined) return known
    const changed = change(agent)
    const { tools, handoffs } = changed
    const copy: Agent = {
      ...changed,
      // The decisions of the recorded run count, so a handler must not decide.
      onApproval: undefined,
      ...(tools === undefined
        ? {}
        : { tools: tools.map(tool => (typeof tool === 'string' ? tool : replaceAny(tool))) }),
      ...(handoffs === undefined
        ? {}
        : { handoffs: handoffs.map(each => (typeof each === 'string' ? each : replaceAgent(each))) }),
    }
    replaced.set(agent, copy)
    replaced.set(copy, copy)
    return copy
  }

  function replaceAny(tool: Tool | ToolSource): Tool | ToolSource {
    if (!('tools' in tool)) return replaceTool(tool)
    // The runtime of the backtest must not close the source.
    return {
      name: tool.name,
      tools: async given => (await tool.tools(given)).map(replaceTool),
      [Symbol.asyncDispose]: async () => {},
    }
  }

  const mayRun = ({ effect }: Tool): boolean => allowRead && effect === 'read'

  function replaceTool(tool: Tool): Tool {
    if (isAgentTool(tool)) return { ...tool, execute: (input, context) => tool.execute(input, delegating(context)) }
    // The results of the client are submitted when the run waits for them.
    if (tool.execution === 'client') return tool
    const { reconcile: _, ...rest } = tool
    return {
      ...rest,
      // A recorded result has passed the schema, or failed as the recorded run says.
      output: mayRun(tool) ? tool.output : undefined,
      concurrency: undefined,
      execute(input, context) {
        const looked = results.take(tool.name, input)
        if (looked.found) return looked.result.outcome
        if (mayRun(tool)) return tool.execute(input, context)
        onMiss(looked.miss)
        throw new Error(`history has no result of ${tool.name}`)
      },
    }
  }

  function delegating(context: ToolContext): ToolContext {
    const { delegate } = context
    if (delegate === undefined) return context
    return {
      ...context,
      delegate: request => {
        const { agent } = request
        return delegate({ ...request, agent: typeof agent === 'string' ? agent : replaceAgent(agent) })
      },
    }
  }

  return replaceAgent
}

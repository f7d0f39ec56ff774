import type { Tool, ToolContext, ToolSource } from '@parley/core'
import type { Agent } from '@parley/engine'
import type { Probe, ProbedHandler } from './probe.ts'

export interface WatchAgentOptions {
  readonly probe: Probe
  /** Name of the tool whose declared effect is replaced by `idempotent`. */
  readonly tried: string | undefined
}

/** Returns a function that puts the probe around the tools of an agent, and of the agents that it hands over or delegates to. */
export function createAgentWatch({ probe, tried }: WatchAgentOptions): (agent: Agent) => Agent {
  const watched = new Map<unknown, Agent>()

  function watchAgent(agent: Agent): Agent {
    const known = watched.get(agent)
    if (known !== undefined) return known
    // A workflow computes its fields, so that they are not copied but replaced.
    const copy: Agent = Object.create(
      Object.getPrototypeOf(agent) as object | null,
      Object.getOwnPropertyDescriptors(agent),
    ) as Agent
    watched.set(agent, copy)
    watched.set(copy, copy)
    const { tools, handoffs } = agent
    const replace = (name: string, value: unknown): void =>
      void Object.defineProperty(copy, name, { value, enumerable: true, configurable: true })
    if (tools !== undefined)
      replace(
        'tools',
        tools.map(tool => (typeof tool === 'string' ? tool : watchAny(tool))),
      )
    if (handoffs !== undefined)
      replace(
        'handoffs',
        handoffs.map(each => (typeof each === 'string' ? each : watchAgent(each))),
      )
    return copy
  }

  function watchAny(tool: Tool | ToolSource): Tool | ToolSource {
    if (!('tools' in tool)) return watchTool(tool)
    return {
      name: tool.name,
      tools: async options => (await tool.tools(options)).map(watchTool),
      ...(tool.onChange === undefined ? {} : { onChange: tool.onChange.bind(tool) }),
      [Symbol.asyncDispose]: () => tool[Symbol.asyncDispose](),
    }
  }

  function watchTool(tool: Tool): Tool {
    // A tool that the client executes has no handler that changes anything.
    if (tool.execution === 'client') return tool
    const { name } = tool
    const effect = tool.effect ?? 'once'
    const { reconcile } = tool
    const run = (handler: ProbedHandler['handler'], context: ToolContext, work: (context: ToolContext) => unknown) => {
      const probed: ProbedHandler = { handler, tool: name, effect, context }
      return probe.around(probed, () => work(withDelegate(context, probed)))
    }
    return {
      ...tool,
      ...(name === tried ? { effect: 'idempotent' as const } : {}),
      execute: (input, context) => run('execute', context, given => tool.execute(input, given)),
      ...(reconcile === undefined
        ? {}
        : {
            reconcile: (input: unknown, context: ToolContext) =>
              run('reconcile', context, given => reconcile.call(tool, input, given)) as ReturnType<typeof reconcile>,
          }),
    }
  }

  function withDelegate(context: ToolContext, probed: ProbedHandler): ToolContext {
    const { delegate } = context
    if (delegate === undefined) return context
    return {
      ...context,
      delegate: request => {
        const agent = typeof request.agent === 'string' ? request.agent : watchAgent(request.agent)
        return probe.delegating(probed, () => delegate({ ...request, agent }))
      },
    }
  }

  return watchAgent
}

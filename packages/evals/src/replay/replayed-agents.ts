import {
  defineMiddleware,
  defineTool,
  ParleyError,
  type ApprovalHandler,
  type Limits,
  type Model,
  type Tool,
  type ToolSource,
  type ToolSpec,
} from '@parley/core'
import type { Agent } from '@parley/engine'
import type { RecordedResults } from '../history/create-recorded-results.ts'
import type { RunHistory } from '../history/load-run-history.ts'
import { withRecordedResult } from '../history/with-recorded-result.ts'

export interface ReplayedAgentsOptions {
  readonly history: RunHistory
  readonly results: RecordedResults
  readonly onApproval: ApprovalHandler
  /** Returns the model that answers from the recording instead of this one. */
  readonly modelFor: (agent: string, model: Agent['model']) => Model
}

/**
 * Returns a function that makes an agent harmless: its model answers from a recording, and so do its tools. Tools of sources, which the
 * replay does not connect to, are taken from the recorded requests.
 */
export function createAgentReplacer(options: ReplayedAgentsOptions): (agent: Agent) => Agent {
  const { history, results, onApproval, modelFor } = options
  const known = new Map<Agent, Agent>()
  const specs = specsOf(history)
  const clientTools = history.runs.flatMap(({ entries: [first] }) =>
    first?.type === 'run.started' ? (first.clientTools ?? []) : [],
  )

  function toolsOf(agent: Agent): readonly Tool[] {
    const own = (agent.tools ?? []).filter(isTool)
    const names = new Set(own.map(({ name }) => name))
    const isOpen = (agent.tools ?? []).some(tool => !isTool(tool))
    // The engine adds the tools of handoffs itself.
    const recorded = isOpen
      ? (specs.get(agent.name) ?? calledTools(results)).filter(({ name }) => !name.startsWith('transfer_to_'))
      : []
    const added = [...recorded, ...clientTools].map(toTool).filter(({ name }) => {
      const isNew = !names.has(name)
      names.add(name)
      return isNew
    })
    return [...own, ...added].map(tool => withRecordedResult(tool, results))
  }

  function replace(agent: Agent): Agent {
    const found = known.get(agent)
    if (found !== undefined) return found
    const { quota: _quota, ...rest } = agent
    const model = modelFor(agent.name, agent.model)
    const replaced: Agent & { handoffs?: Agent['handoffs'] } = {
      ...rest,
      model,
      limits: enforceable(agent.limits, model),
      tools: toolsOf(agent),
      onApproval,
      retry: { maxRetries: 0 },
      middleware: [...(agent.middleware ?? []), onlyOwnModel(() => replaced.model)],
    }
    // Before the handoffs, because agents can hand over to each other.
    known.set(agent, replaced)
    if (agent.handoffs !== undefined) {
      Object.assign(replaced, {
        handoffs: agent.handoffs.map(target => (typeof target === 'string' ? target : replace(target))),
      })
    }
    return replaced
  }
  return replace
}

/** Refuses model calls that are not in a journal: those of a context policy that asks a model. */
function onlyOwnModel(own: () => Agent['model']) {
  return defineMiddleware('recorded-model', () => ({
    model(call, next) {
      const model = own()
      if (typeof model === 'object' && call.model.provider === model.provider && call.model.id === model.id)
        return next(call)
      const { provider, id } = call.model
      const detail = 'A journal does not keep what a context policy asks a model, so the replay cannot answer it.'
      throw new ParleyError({ code: 'model-unsupported', provider, model: id, detail })
    },
  }))
}

/** The tools that were called, for a journal that keeps no requests. */
function calledTools({ all }: RecordedResults): readonly ToolSpec[] {
  return all.map(({ name }) => ({ name, description: 'A recorded tool.', inputSchema: { type: 'object' } }))
}

/** The tools that the recorded requests offered, by the agent that answered. */
function specsOf({ runs }: RunHistory): ReadonlyMap<string, readonly ToolSpec[]> {
  const specs = new Map<string, readonly ToolSpec[]>()
  for (const { agent, entries } of runs) {
    let current = agent
    for (const entry of entries) {
      if (entry.type === 'agent.changed') current = entry.to
      if (entry.type === 'request.kept' && !specs.has(current)) specs.set(current, entry.tools)
    }
  }
  return specs
}

function isTool(tool: Tool | ToolSource | string): tool is Tool {
  return typeof tool === 'object' && 'execute' in tool
}

/** The results are taken from the recording, so this handler is never called. */
function toTool({ name, description, inputSchema }: ToolSpec): Tool {
  const text = description.trim() === '' ? 'A recorded tool.' : description
  return { ...defineTool({ name, description: text, input: inputSchema, execute: () => '' }), description }
}

/** The engine refuses a limit of the cost for a model without prices. The recorded calls have their recorded costs. */
export function enforceable(limits: Limits | undefined, { info }: Pick<Model, 'info'>): Limits | undefined {
  if (limits?.maxCost === undefined || info.pricing !== undefined) return limits
  const { maxCost: _unpriced, ...rest } = limits
  return rest
}

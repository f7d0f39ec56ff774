import { ParleyError, type ErrorInfo, type Tool, type ToolSource, type ToolSpec } from '@parley/core'
import { prepareTool, type PreparedTool } from './prepare-tool.ts'

/** The tools of one run. */
export interface ToolSet {
  readonly specs: readonly ToolSpec[]
  readonly byName: ReadonlyMap<string, PreparedTool>
  /** Names of the tools that the client executes. `undefined` if there are none. */
  readonly client: ReadonlySet<string> | undefined
  /** Tools of the sources whose schema cannot be used. */
  readonly omitted: readonly OmittedTool[]
}

/** A tool that the model does not get, and why. */
export interface OmittedTool {
  readonly name: string
  readonly error: ErrorInfo
}

/** The tools of an agent, over all its runs. */
export interface Toolbox {
  /** Names of the tools that come from no source. */
  readonly fixed: ReadonlySet<string>
  /** The current tools. Synchronous unless a source has to be asked. */
  current(signal: AbortSignal): ToolSet | Promise<ToolSet>
  /** Stops listening to the sources. Called when no further run begins with this toolbox. */
  close(): void
}

interface Loading {
  readonly tools: Promise<ToolSet>
  /** Signal of the run that started the loading. */
  readonly signal: AbortSignal
}

/**
 * Compiles an agent's tools once, and again after one of its sources announced a change. A tool of a source comes from outside:
 * if its schema cannot be used, it is omitted and the others remain.
 * @throws ParleyError `config-invalid` if two tools have the same name, `tool-schema-invalid` for a tool of the agent's own.
 */
export function createToolbox(tools: readonly (Tool | ToolSource)[], path: string): Toolbox {
  const fixed = tools.filter((tool): tool is Tool => !isSource(tool))
  const sources = tools.filter(isSource)
  const base = toToolSet(fixed, [], path)
  const names: ReadonlySet<string> = new Set(base.byName.keys())
  if (sources.length === 0) return { fixed: names, current: () => base, close: () => {} }

  let known: ToolSet | undefined
  let loading: Loading | undefined
  const leave = sources.map(source =>
    source.onChange?.(() => {
      known = undefined
      loading = undefined
    }),
  )
  async function load(signal: AbortSignal): Promise<ToolSet> {
    const lists = await Promise.all(sources.map(source => source.tools({ signal })))
    return toToolSet(fixed, lists.flat(), path)
  }
  async function join(signal: AbortSignal): Promise<ToolSet> {
    for (;;) {
      const mine = (loading ??= { tools: load(signal), signal })
      try {
        const loaded = await mine.tools
        if (loading === mine) known = loaded
        return loaded
      } catch (error) {
        // A failed load is not kept. If only the run that started it was stopped, the other runs load again.
        if (loading === mine) loading = undefined
        if (signal.aborted || !mine.signal.aborted) throw error
      }
    }
  }
  return {
    fixed: names,
    current: signal => known ?? join(signal),
    close() {
      for (const stop of leave) stop?.()
    },
  }
}

function isSource(tool: Tool | ToolSource): tool is ToolSource {
  return 'tools' in tool
}

function toToolSet(own: readonly Tool[], fromSources: readonly Tool[], path: string): ToolSet {
  const byName = new Map<string, PreparedTool>()
  const omitted: OmittedTool[] = []
  const add = (tool: Tool, prepared: PreparedTool): void => {
    if (byName.has(tool.name)) {
      throw new ParleyError({ code: 'config-invalid', path, detail: `two tools are named '${tool.name}'` })
    }
    byName.set(tool.name, prepared)
  }
  for (const tool of own) add(tool, prepareTool(tool))
  for (const tool of fromSources) {
    const prepared = preparedOrError(tool)
    if (prepared instanceof ParleyError) omitted.push({ name: tool.name, error: prepared.info })
    else add(tool, prepared)
  }
  return toolSetOf(byName, omitted)
}

function preparedOrError(tool: Tool): PreparedTool | ParleyError {
  try {
    return prepareTool(tool)
  } catch (error) {
    if (ParleyError.is(error, 'tool-schema-invalid')) return error
    throw error
  }
}

export function toolSetOf(byName: ReadonlyMap<string, PreparedTool>, omitted: readonly OmittedTool[]): ToolSet {
  const all = [...byName.values()]
  const client = all.filter(({ tool }) => tool.execution === 'client').map(({ spec }) => spec.name)
  const specs = all.map(({ spec }) => spec)
  return { byName, specs, client: client.length === 0 ? undefined : new Set(client), omitted }
}

import { ParleyError, type Tool, type ToolSource, type ToolSpec } from '@parley/core'
import { prepareTool, type PreparedTool } from './prepare-tool.ts'

/** The tools of one run. */
export interface ToolSet {
  readonly specs: readonly ToolSpec[]
  readonly byName: ReadonlyMap<string, PreparedTool>
}

/** The tools of an agent, over all its runs. */
export interface Toolbox {
  /** The current tools. Synchronous unless a source has to be asked. */
  current(signal: AbortSignal): ToolSet | Promise<ToolSet>
  /** Stops listening to the sources: no run begins with this toolbox any more. */
  close(): void
}

interface Loading {
  readonly tools: Promise<ToolSet>
  /** Signal of the run that started the loading. */
  readonly signal: AbortSignal
}

/**
 * Compiles an agent's tools once, and again after one of its sources announced a change.
 * @throws ParleyError `config-invalid` if two tools have the same name, `tool-schema-invalid`.
 */
export function createToolbox(tools: readonly (Tool | ToolSource)[], path: string): Toolbox {
  const fixed = tools.filter((tool): tool is Tool => !isSource(tool))
  const sources = tools.filter(isSource)
  const base = toToolSet(fixed, path)
  if (sources.length === 0) return { current: () => base, close: () => {} }

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
    return toToolSet([...fixed, ...lists.flat()], path)
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
    current: signal => known ?? join(signal),
    close() {
      for (const stop of leave) stop?.()
    },
  }
}

function isSource(tool: Tool | ToolSource): tool is ToolSource {
  return 'tools' in tool
}

function toToolSet(tools: readonly Tool[], path: string): ToolSet {
  const byName = new Map<string, PreparedTool>()
  for (const tool of tools) {
    if (byName.has(tool.name)) {
      throw new ParleyError({ code: 'config-invalid', path, detail: `two tools are named '${tool.name}'` })
    }
    byName.set(tool.name, prepareTool(tool))
  }
  return { byName, specs: [...byName.values()].map(prepared => prepared.spec) }
}

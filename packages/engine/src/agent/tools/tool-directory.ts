import { ParleyError, type Tool, type ToolSource } from '@parley/core'

/** The tools and tool sources that agents of a runtime may name. A change affects runs that start after it. */
export interface ToolDirectory {
  /** Adds a tool or a tool source. @throws ParleyError `config-invalid` if the name is taken. */
  register(tool: Tool | ToolSource): void
  /**
   * Replaces the tool or tool source of the same name.
   * @throws ParleyError `tool-unknown` if no tool has the name, `config-invalid` if an agent cannot use the new tool.
   */
  replace(tool: Tool | ToolSource): void
  /** Removes a tool or a tool source. @throws ParleyError `tool-unknown`, `config-invalid` while an agent names it. */
  unregister(name: string): void
  /** Returns the tool or tool source with this name. @throws ParleyError `tool-unknown`. */
  get(name: string): Tool | ToolSource
  list(): readonly (Tool | ToolSource)[]
}

export interface ToolDirectoryOptions {
  /** The agent that names this tool, if any. */
  readonly userOf: (name: string) => string | undefined
  /** Called after a tool was replaced. If it throws, the replacement is undone. */
  readonly onReplace: () => void
}

/** Creates a directory of these tools. @throws ParleyError `config-invalid` if two tools have the same name. */
export function createToolDirectory(
  tools: readonly (Tool | ToolSource)[],
  { userOf, onReplace }: ToolDirectoryOptions,
): ToolDirectory {
  const byName = new Map<string, Tool | ToolSource>()

  function get(name: string): Tool | ToolSource {
    const tool = byName.get(name)
    if (tool === undefined) throw new ParleyError({ code: 'tool-unknown', tool: name, available: [...byName.keys()] })
    return tool
  }

  function register(tool: Tool | ToolSource): void {
    if (typeof tool?.name !== 'string' || tool.name === '') refuse('a tool has no name')
    if (byName.has(tool.name)) refuse(`two tools are named '${tool.name}'`)
    byName.set(tool.name, tool)
  }

  for (const tool of tools) register(tool)
  return {
    register,
    replace(tool) {
      const before = get(tool.name)
      byName.set(tool.name, tool)
      try {
        onReplace()
      } catch (error) {
        byName.set(tool.name, before)
        throw error
      }
    },
    unregister(name) {
      get(name)
      const user = userOf(name)
      if (user !== undefined) refuse(`'${name}' cannot go while agent '${user}' names it`)
      byName.delete(name)
    },
    get,
    list: () => [...byName.values()],
  }
}

function refuse(detail: string): never {
  throw new ParleyError({ code: 'config-invalid', path: 'tools', detail })
}

import { callListener } from '../call-listener.ts'
import type { McpToolOptions } from '../config/mcp-tool-options.ts'

/** Assigns to each tool of one server a name that never changes. */
export interface ToolNamer {
  /**
   * Returns the tool's unique name. Unless the tool is renamed, the name has at most 60 of the characters
   * `A-Za-z0-9_-`.
   */
  nameOf(tool: string): string
}

export interface ToolNamerOptions extends Pick<McpToolOptions, 'prefix' | 'rename' | 'onCollision'> {
  readonly server: string
}

const MAX_LENGTH = 60

/**
 * Names tools in the order in which they appear. A later tool never receives the name of an earlier tool, so old
 * transcripts stay valid.
 */
export function createToolNamer({
  server,
  prefix = `mcp__${server}__`,
  rename = {},
  onCollision,
}: ToolNamerOptions): ToolNamer {
  const names = new Map(Object.entries(rename))
  const taken = new Set(names.values())

  function claim(tool: string): string {
    const wanted = `${prefix}${tool}`.replaceAll(/[^A-Za-z0-9_-]/gu, '_').slice(0, MAX_LENGTH)
    let name = wanted
    for (let count = 2; taken.has(name); count += 1) {
      const suffix = `_${count}`
      name = wanted.slice(0, MAX_LENGTH - suffix.length) + suffix
    }
    if (name !== wanted) callListener(() => onCollision?.({ server, tool, wanted, name }))
    taken.add(name)
    names.set(tool, name)
    return name
  }

  return { nameOf: tool => names.get(tool) ?? claim(tool) }
}

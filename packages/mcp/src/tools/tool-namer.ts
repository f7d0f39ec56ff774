import { callListener } from '../call-listener.ts'
import type { McpToolOptions } from '../config/mcp-tool-options.ts'

/** Gives each tool of one server one name, and the same one for as long as it lives. */
export interface ToolNamer {
  /** `[A-Za-z0-9_-]`, at most 60 characters unless renamed; never the name of another tool. */
  nameOf(tool: string): string
}

export interface ToolNamerOptions extends Pick<McpToolOptions, 'prefix' | 'rename' | 'onCollision'> {
  readonly server: string
}

const MAX_LENGTH = 60

/** First come, first served: a tool that appears later never takes a name away, so old transcripts stay true. */
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

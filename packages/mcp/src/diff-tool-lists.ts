import type { McpToolInfo } from './mcp-tool-info.ts'

/** What became of a list of tools, by the server's names for them. */
export interface ToolListDiff {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** Still there, with another description, schema or hint. */
  readonly changed: readonly string[]
}

/** Tools that did not change are the same objects in both lists. */
export function diffToolLists(before: readonly McpToolInfo[], after: readonly McpToolInfo[]): ToolListDiff {
  const known = new Map(before.map(tool => [tool.name, tool]))
  const present = new Set(after.map(({ name }) => name))
  return {
    added: after.filter(({ name }) => !known.has(name)).map(({ name }) => name),
    removed: before.filter(({ name }) => !present.has(name)).map(({ name }) => name),
    changed: after.filter(tool => known.has(tool.name) && known.get(tool.name) !== tool).map(({ name }) => name),
  }
}

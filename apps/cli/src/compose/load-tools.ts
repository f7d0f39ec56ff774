import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { defineTool, ParleyError, type Tool } from '@parley/core'

/**
 * Loads the tools that a JavaScript module exports: every export that has the shape of a tool, and the items of
 * exported arrays. One without `execute` is a tool that the client executes.
 * @throws ParleyError `file-unreadable` if the module fails to load, `config-invalid` if it exports no tool.
 */
export async function loadTools(path: string): Promise<readonly Tool[]> {
  let exported: Record<string, unknown>
  try {
    exported = (await import(pathToFileURL(resolve(path)).href)) as Record<string, unknown>
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause)
    throw new ParleyError({ code: 'file-unreadable', path, detail }, { cause })
  }
  const tools = [...new Set(Object.values(exported).flat())].filter(isTool).map(toTool)
  if (tools.length === 0)
    throw new ParleyError({ code: 'config-invalid', path, detail: 'must export at least one tool' })
  return tools
}

function isTool(value: unknown): value is Tool {
  return typeof value === 'object' && value !== null && 'name' in value && 'description' in value && 'input' in value
}

function toTool(tool: Tool): Tool {
  return 'execute' in tool ? tool : defineTool(tool)
}

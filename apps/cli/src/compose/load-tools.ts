import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ParleyError, type Tool } from '@parley/core'

/**
 * The tools a JavaScript module exports: every export that looks like one, and the items of exported arrays.
 * @throws ParleyError `file-unreadable` for a module that cannot be loaded, `config-invalid` for one without tools.
 */
export async function loadTools(path: string): Promise<readonly Tool[]> {
  let exported: Record<string, unknown>
  try {
    exported = (await import(pathToFileURL(resolve(path)).href)) as Record<string, unknown>
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause)
    throw new ParleyError({ code: 'file-unreadable', path, detail }, { cause })
  }
  const tools = [...new Set(Object.values(exported).flat())].filter(isTool)
  if (tools.length === 0) throw new ParleyError({ code: 'config-invalid', path, detail: 'exports no tool' })
  return tools
}

function isTool(value: unknown): value is Tool {
  return typeof value === 'object' && value !== null && 'name' in value && 'execute' in value && 'input' in value
}

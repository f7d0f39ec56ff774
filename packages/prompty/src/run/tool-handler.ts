import type { Tool } from '@parley/core'

/**
 * What runs a tool that a file declares. A bare function gets its arguments by position, in the order the file declares
 * the parameters; a tool gets them as one object, and what the file does not say of it (effect, permission, timeout) is
 * taken from the tool.
 */
export type PromptyToolHandler =
  | ((...values: never[]) => unknown)
  | (Pick<Tool, 'execute'> & Partial<Omit<Tool, 'name' | 'execute'>>)

/** Marks what the seed reports in words of its own; the text is what the model reads. */
export function executionFailure(name: string, error: unknown): string {
  if (!(error instanceof Error)) return `Error executing ${name}: ${String(error)}`
  return `Error executing ${name}: ${error.name === 'Error' ? '' : `${error.name}: `}${error.message}`
}

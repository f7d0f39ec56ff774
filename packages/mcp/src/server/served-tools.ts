import type { CallToolResult, Tool as WireTool } from '@modelcontextprotocol/server'
import { toErrorInfo, describeError, toJsonSchema, type Json, type Tool, type ToolSource } from '@parley/core'
import { createConcurrencyLimits } from './concurrency-limits.ts'
import { runServedTool, type McpApproval } from './run-served-tool.ts'
import { toCallResult } from './to-call-result.ts'

/** Parley tools in the shapes of the MCP protocol. */
export interface ServedTools {
  list(): Promise<WireTool[]>
  /** Calls a tool. Never rejects: a failure is a result with `isError`. */
  call(name: string, input: unknown, options: ServedCallOptions): Promise<CallToolResult>
  onChange(listener: () => void): () => void
}

export interface ServedCallOptions {
  readonly signal: AbortSignal
  readonly onProgress: (progress: { progress: number; total?: number; message?: string }) => void
}

export interface ServedToolsOptions {
  readonly server: string
  readonly tools: readonly (Tool | ToolSource)[]
  readonly approve: ((approval: McpApproval) => boolean | Promise<boolean>) | undefined
  readonly toolTimeoutMs: number
  /** Cancels every call when it is aborted. */
  readonly signal: AbortSignal
}

export function createServedTools({ server, tools, signal, ...policy }: ServedToolsOptions): ServedTools {
  const limits = createConcurrencyLimits()

  /** The current tools by name. If two have the same name, the first one wins. */
  async function current(): Promise<ReadonlyMap<string, Tool>> {
    const lists = await Promise.all(
      tools.map(async item => ('execute' in item ? [item] : await item.tools({ signal }))),
    )
    const named = new Map<string, Tool>()
    for (const tool of lists.flat()) if (!named.has(tool.name)) named.set(tool.name, tool)
    return named
  }

  return {
    list: async () => [...(await current()).values()].flatMap(tool => toWireTool(tool)),
    async call(name, input, { signal: requested, onProgress }) {
      try {
        const known = await current()
        const tool = known.get(name)
        if (tool === undefined) {
          return failed(describeError({ code: 'tool-unknown', tool: name, available: [...known.keys()] }))
        }
        const stop = AbortSignal.any([requested, signal])
        const progress = countProgress(onProgress)
        const run = runServedTool(tool, input, { ...policy, server, signal: stop, progress, limits })
        return toCallResult(await run)
      } catch (error) {
        return failed(describeError(toErrorInfo(error)))
      }
    },
    onChange(listener) {
      const stops = tools.map(item => ('execute' in item ? undefined : item.onChange?.(listener)))
      return () => {
        for (const stop of stops) stop?.()
      }
    },
  }
}

/** Skips a tool whose schema cannot be converted to JSON Schema: a client could not call it. */
function toWireTool({ name, description, input, jsonSchema, output, effect }: Tool): WireTool[] {
  const schema = jsonSchema ?? toJsonSchema(input)
  if (typeof schema === 'string') return []
  const result = output === undefined ? undefined : toJsonSchema(output)
  return [
    {
      name,
      description,
      inputSchema: { ...schema, type: 'object' },
      // The protocol allows only objects as output.
      ...(typeof result === 'object' && result['type'] === 'object'
        ? { outputSchema: { ...result, type: 'object' } }
        : {}),
      annotations: { readOnlyHint: effect === 'read', idempotentHint: effect === 'read' || effect === 'idempotent' },
    },
  ]
}

function failed(text: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text }] }
}

/** Numbers the progress updates: the protocol requires a growing number, but tools report progress in any shape. */
function countProgress(onProgress: ServedCallOptions['onProgress']): (update: Json) => void {
  let count = 0
  return update => {
    count += 1
    if (typeof update !== 'object' || update === null || Array.isArray(update)) {
      return onProgress({ progress: count, message: typeof update === 'string' ? update : JSON.stringify(update) })
    }
    const { progress, total, message } = update
    if (typeof progress !== 'number') return onProgress({ progress: count, message: JSON.stringify(update) })
    onProgress({
      progress,
      ...(typeof total === 'number' ? { total } : {}),
      ...(typeof message === 'string' ? { message } : {}),
    })
  }
}

import type { CallToolResult, Tool as WireTool } from '@modelcontextprotocol/server'
import {
  describeError,
  describePublicly,
  ParleyError,
  publicWords,
  toErrorInfo,
  toJsonSchema,
  type Json,
  type Tool,
  type ToolOutcome,
  type ToolSource,
} from '@parley/core'
import { createConcurrencyLimits } from './concurrency-limits.ts'
import { asFailure, guardOf } from './served-parts.ts'
import { runServedTool, type McpApproval } from './run-served-tool.ts'
import { toCallResult } from './to-call-result.ts'

/** Tools by name. */
export type NamedTools = ReadonlyMap<string, Tool>

/** Parley tools in the shapes of the MCP protocol. */
export interface ServedTools {
  /** Lists the tools. If two tools have the same name, the first one is used. */
  tools(): Promise<NamedTools>
  list(): Promise<WireTool[]>
  /** Calls a tool. Never rejects: a failure is a result with `isError`. */
  call(name: string, input: unknown, options: ServedCallOptions): Promise<CallToolResult>
  onChange(listener: () => void): () => void
}

export interface ServedCallOptions {
  /** The tools, if they are listed already. @default listed for the call */
  readonly tools?: NamedTools | undefined
  readonly signal: AbortSignal
  readonly onProgress: (progress: { progress: number; total?: number; message?: string }) => void
}

export interface ServedToolsOptions {
  readonly server: string
  readonly tools: readonly (Tool | ToolSource)[]
  readonly approve: ((approval: McpApproval) => boolean | Promise<boolean>) | undefined
  readonly toolTimeoutMs: number
  /** Called with each failure of a call whose details the client does not get. */
  readonly onFailure: (error: ParleyError) => void
  /** Cancels every call when it is aborted. */
  readonly signal: AbortSignal
}

export function createServedTools({ server, tools, signal, onFailure, ...policy }: ServedToolsOptions): ServedTools {
  const limits = createConcurrencyLimits()
  const guard = guardOf(onFailure)

  async function current(): Promise<NamedTools> {
    const lists = await Promise.all(
      tools.map(async item => ('execute' in item ? [item] : await item.tools({ signal }))),
    )
    const named = new Map<string, Tool>()
    for (const tool of lists.flat()) if (!named.has(tool.name)) named.set(tool.name, tool)
    return named
  }

  return {
    tools: current,
    async list() {
      return await guard(async () => [...(await current()).values()].flatMap(tool => toWireTool(tool)))
    },
    async call(name, input, { tools: listed, signal: requested, onProgress }) {
      try {
        const known = listed ?? (await current())
        const tool = known.get(name)
        if (tool === undefined) {
          return failed(describeError({ code: 'tool-unknown', tool: name, available: [...known.keys()] }))
        }
        const stop = AbortSignal.any([requested, signal])
        const progress = countProgress(onProgress)
        const run = runServedTool(tool, input, { ...policy, server, signal: stop, progress, limits })
        return toCallResult(toPublicOutcome(await run, onFailure))
      } catch (error) {
        onFailure(asFailure(error))
        return failed(describePublicly(toErrorInfo(error)))
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

/**
 * Converts a tool to its form in the protocol. Skips a tool whose schema cannot be converted to JSON Schema, because a
 * client could not call it.
 */
function toWireTool(tool: Tool): WireTool[] {
  const { name, description, output, effect } = tool
  const inputSchema = inputSchemaOf(tool)
  if (inputSchema === undefined) return []
  const result = output === undefined ? undefined : toJsonSchema(output)
  return [
    {
      name,
      description,
      inputSchema,
      // The protocol allows only objects as output.
      ...(typeof result === 'object' && result['type'] === 'object'
        ? { outputSchema: { ...result, type: 'object' } }
        : {}),
      annotations: { readOnlyHint: effect === 'read', idempotentHint: effect === 'read' || effect === 'idempotent' },
    },
  ]
}

/** Returns the input schema of a tool as clients see it; `undefined` without a tool, or without a JSON Schema. */
export function inputSchemaOf(tool: Tool | undefined): WireTool['inputSchema'] | undefined {
  if (tool === undefined) return undefined
  const schema = tool.jsonSchema ?? toJsonSchema(tool.input)
  return typeof schema === 'string' ? undefined : { ...schema, type: 'object' }
}

/** Replaces words that were made from error data, and reports these data. */
function toPublicOutcome(outcome: ToolOutcome, onFailure: ServedToolsOptions['onFailure']): ToolOutcome {
  if (outcome.type !== 'error' || outcome.error === undefined) return outcome
  const { error } = outcome
  const content = outcome.content.map(part =>
    part.type === 'text' ? { ...part, text: publicWords(part.text, error) } : part,
  )
  onFailure(new ParleyError(error))
  return { ...outcome, content }
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

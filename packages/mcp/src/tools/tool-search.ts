import { toolError, toolOk, toJsonSchema, type Json, type Tool } from '@parley/core'

/** A tool under the name its server gave it. */
export interface SearchableTool {
  readonly name: string
  readonly tool: Tool
}

export interface ToolSearchOptions {
  readonly server: string
  /** Prefix of the names of the two tools. */
  readonly prefix: string
  /** Milliseconds a call may take. */
  readonly timeoutMs: number
  readonly find: (signal: AbortSignal) => Promise<readonly SearchableTool[]>
}

const CHARACTERS_PER_TOKEN = 4
const MOST_FOUND = 20

/** Estimates, by length, how many tokens the tools take in every request to a model. */
export function estimateTokens(tools: readonly Tool[]): number {
  const characters = tools.map(({ name, description, input }) => {
    return name.length + description.length + textLength(toJsonSchema(input))
  })
  return Math.ceil(characters.reduce((sum, count) => sum + count, 0) / CHARACTERS_PER_TOKEN)
}

/**
 * Returns the length of a schema as text. 0 for a schema that is nested too deeply for the stack, because the engine
 * omits its tool.
 */
function textLength(schema: unknown): number {
  try {
    return JSON.stringify(schema).length
  } catch (error) {
    if (error instanceof RangeError) return 0
    throw error
  }
}

/** Creates two tools that replace many tools: one searches them, and the other calls a tool that was found. */
export function createToolSearch({ server, prefix, timeoutMs, find }: ToolSearchOptions): readonly [Tool, Tool] {
  const search: Tool = {
    name: `${prefix}tool_search`,
    description:
      `Finds tools of '${server}' by words in their names and descriptions. Returns each tool with the JSON Schema ` +
      `of its arguments. Call a tool with ${prefix}tool_call.`,
    input: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'Words that describe what the tool should do.' },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: MOST_FOUND,
          description: 'Maximum number of tools to return. Default: 5.',
        },
      },
      required: ['query'],
      additionalProperties: false,
    },
    effect: 'read',
    timeoutMs,
    async execute(input, { signal }) {
      const { query, limit = 5 } = input as { query: string; limit?: number }
      const all = await find(signal)
      const found = rank(all, query).slice(0, limit)
      if (found.length === 0) return toolOk(`None of ${all.length} tools matches. Try other words.`)
      const matches = found.map(({ name, tool: { description, input: schema } }) => {
        return { name, description, arguments: toJsonSchema(schema) as Json }
      })
      return toolOk(matches.map(tool => JSON.stringify(tool)).join('\n'), matches)
    },
  }

  const call: Tool = {
    name: `${prefix}tool_call`,
    description: `Calls a tool of '${server}' that ${prefix}tool_search has found.`,
    input: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'The name that the search returned.' },
        arguments: { type: 'object', description: "Must match the tool's schema." },
      },
      required: ['name'],
      additionalProperties: false,
    },
    timeoutMs,
    async execute(input, context) {
      const { name, arguments: values = {} } = input as { name: string; arguments?: object }
      const found = (await find(context.signal)).find(item => item.name === name)
      if (found !== undefined) return await found.tool.execute(values, context)
      return toolError(`'${name}' is not a tool of '${server}'. Search for it with ${prefix}tool_search.`)
    },
  }
  return [search, call]
}

/** Returns the tools that match any of the words, best match first. A match in the name counts more. */
function rank(tools: readonly SearchableTool[], query: string): readonly SearchableTool[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return tools
    .map(item => ({ item, score: score(item, words) }))
    .filter(({ score: points }) => points > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ item }) => item)
}

function score({ name, tool }: SearchableTool, words: readonly string[]): number {
  const title = name.toLowerCase()
  const text = tool.description.toLowerCase()
  return words.reduce((sum, word) => sum + (title.includes(word) ? 3 : 0) + (text.includes(word) ? 1 : 0), 0)
}

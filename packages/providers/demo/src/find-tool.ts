import type { ModelRequest } from '@parley/core'

export type ToolKind = 'calculate' | 'time' | 'list' | 'read'

/** A tool that fits, and the name of its main argument. */
export interface FoundTool {
  readonly name: string
  readonly field: string
}

/** Names by which tools of each kind go, the best first. */
const NAMES: Readonly<Record<ToolKind, readonly RegExp[]>> = {
  calculate: [/calculator$/, /calculate$/, /evaluate/],
  time: [/current_time$/, /get_time$/, /time$/],
  list: [/list_directory$/, /^ls$/, /list_files$/],
  read: [/read_text_file$/, /read_file$/, /^read$/],
}

/** The offered tool that best fits the kind; one from an MCP server before a built-in one of the same rank. */
export function findTool(request: ModelRequest, kind: ToolKind): FoundTool | undefined {
  for (const pattern of NAMES[kind]) {
    const spec = request.tools.find(({ name }) => pattern.test(name))
    if (spec === undefined) continue
    const { required } = spec.inputSchema
    const { properties = {} } = spec.inputSchema
    const [first] = Array.isArray(required) ? required : Object.keys(properties as object)
    return { name: spec.name, field: typeof first === 'string' ? first : 'input' }
  }
  return undefined
}

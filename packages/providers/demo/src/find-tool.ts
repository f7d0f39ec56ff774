import type { ModelRequest } from '@parley/core'

export type ToolKind = 'calculate' | 'time' | 'list' | 'read' | 'mail'

/** A tool of the requested kind. */
export interface FoundTool {
  readonly name: string
  /** Name of its main argument. */
  readonly field: string
  /** Names of the other arguments that it requires. */
  readonly others: readonly string[]
}

/** Names of the tools of each kind, the preferred ones first. */
const NAMES: Readonly<Record<ToolKind, readonly RegExp[]>> = {
  calculate: [/calculator$/, /calculate$/, /evaluate/],
  time: [/current_time$/, /get_time$/, /time$/],
  list: [/list_directory$/, /^ls$/, /list_files$/],
  read: [/read_text_file$/, /read_file$/, /^read$/],
  mail: [/send_e?mail$/],
}

/** Returns the first offered tool with the most preferred name of a kind; `undefined` if no tool matches. */
export function findTool(request: ModelRequest, kind: ToolKind): FoundTool | undefined {
  for (const pattern of NAMES[kind]) {
    const spec = request.tools.find(({ name }) => pattern.test(name))
    if (spec === undefined) continue
    const { required } = spec.inputSchema
    const { properties = {} } = spec.inputSchema
    const fields: readonly unknown[] = Array.isArray(required) ? required : Object.keys(properties as object)
    const [field = 'input', ...others] = fields.filter(name => typeof name === 'string')
    return { name: spec.name, field, others }
  }
  return undefined
}

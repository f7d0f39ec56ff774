import { defineMiddleware, type Json, type Middleware, type Schema, type ToolOk } from '@parley/core'
import { compileSchema } from '@parley/core/json-schema'
import { checkFields } from '../options/check-fields.ts'
import { refuse } from '../outcome/refuse.ts'

export interface ValidateToolOutputOptions {
  /** What a tool's result must be, by the tool's name. */
  readonly schemas: Readonly<Record<string, Schema>>
}

/**
 * Holds tools that promise nothing themselves (an MCP server's, say) to a shape: a result that does not fit is an error the
 * model reads, `tool-output-invalid`. What is checked is the result's data, or its text read as JSON, or the text itself.
 */
export function validateToolOutput(options: ValidateToolOutputOptions): Middleware {
  checkFields('validateToolOutput', options, ['schemas'])
  const checks = new Map(Object.entries(options.schemas).map(([tool, schema]) => [tool, compileSchema(schema)]))
  return defineMiddleware('output-validation', () => ({
    async tool(call, next) {
      const outcome = await next(call)
      const check = checks.get(call.tool.name)
      if (check === undefined || outcome.type !== 'ok') return outcome
      const { issues } = await check(dataOf(outcome))
      return issues === undefined
        ? outcome
        : refuse({ code: 'tool-output-invalid', tool: call.tool.name, issues: [...issues] })
    },
  }))
}

function dataOf({ structured, content }: ToolOk): Json {
  if (structured !== undefined) return structured
  const text = content.map(part => (part.type === 'text' ? part.text : '')).join('')
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

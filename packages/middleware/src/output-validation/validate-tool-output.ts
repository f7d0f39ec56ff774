import {
  checkOptions,
  defineMiddleware,
  type Json,
  type Middleware,
  type Schema,
  type ToolOk,
  type OptionKinds,
} from '@parley/core'
import { compileSchema } from '@parley/core/json-schema'
import { refuse } from '../outcome/refuse.ts'

export interface ValidateToolOutputOptions {
  /** The schema of each tool's result, by tool name. Other tools are not checked. */
  readonly schemas: Readonly<Record<string, Schema>>
}

const OPTIONS: OptionKinds<ValidateToolOutputOptions> = {
  schemas: 'object!',
}

/**
 * Validates the results of tools that declare no output schema, such as those of an MCP server. An invalid result becomes the
 * error `tool-output-invalid`, which the model reads. It validates the structured data, else the text parsed as JSON, else
 * the text itself.
 * @throws ParleyError `config-invalid` if an option is unknown.
 */
export function validateToolOutput(options: ValidateToolOutputOptions): Middleware {
  checkOptions('validateToolOutput', options, OPTIONS)
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

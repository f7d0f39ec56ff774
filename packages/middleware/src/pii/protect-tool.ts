import {
  isToolOutcome,
  ParleyError,
  toJsonSchema,
  type Json,
  type RunFacts,
  type StandardIssue,
  type StandardSchema,
  type Tool,
  type ToolContext,
} from '@parley/core'
import { compileSchema } from '@parley/core/json-schema'
import { mapStrings } from '../json/map-strings.ts'
import { mapOutcome } from '../outcome/map-outcome.ts'
import type { TextMask } from './text-mask.ts'

/**
 * The same tool, whose handler gets the real values, while everything around it (journal, events, approvals) has the
 * placeholders: in the arguments, in the progress it shows, and in its result.
 */
export function protectTool<TInput, TOutput>(
  tool: Tool<TInput, TOutput>,
  maskOf: (run: RunFacts) => TextMask,
): Tool<TInput, TOutput> {
  const shown = tool.jsonSchema ?? toJsonSchema(tool.input)
  if (typeof shown === 'string') {
    throw new ParleyError({ code: 'tool-schema-invalid', tool: tool.name, detail: shown })
  }
  const check = compileSchema(tool.input)

  async function execute(input: TInput, context: ToolContext): Promise<TOutput> {
    const mask = maskOf(context.run)
    // Only here is it known whose placeholders they are, so only here can the real values be checked.
    const checked = await check(mapStrings(input, mask.restore))
    if (checked.issues !== undefined) {
      throw new ParleyError({ code: 'tool-input-invalid', tool: tool.name, issues: [...checked.issues] })
    }
    const progress = (update: Json): void => context.progress(mapStrings(update, text => mask.mask(text)))
    try {
      const result: unknown = await tool.execute(checked.value as TInput, { ...context, progress })
      const masked = isToolOutcome(result)
        ? mapOutcome(result, text => mask.mask(text))
        : mapStrings(result, text => mask.mask(text))
      return masked as TOutput
    } catch (error) {
      throw maskError(error, mask)
    }
  }

  return { ...tool, jsonSchema: shown, input: anyObject, execute }
}

/** Lets arguments pass as they are: the handler's side checks them with the real values in place. */
const anyObject: StandardSchema<Readonly<Record<string, unknown>>> = {
  '~standard': {
    version: 1,
    vendor: 'parley',
    validate: value =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? { value: value as Readonly<Record<string, unknown>> }
        : { issues: [notAnObject] },
  },
}

const notAnObject: StandardIssue = { message: 'must be an object' }

function maskError(error: unknown, mask: TextMask): unknown {
  if (ParleyError.is(error)) {
    const { code, ...fields } = error.info
    return new ParleyError({ code, ...mapStrings(fields, text => mask.mask(text)) } as ParleyError['info'])
  }
  return error instanceof Error ? new Error(mask.mask(error.message)) : error
}

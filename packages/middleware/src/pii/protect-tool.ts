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
import { mapStrings } from '@parley/core/masking'
import { mapOutcome } from '../outcome/map-outcome.ts'
import type { TextMask } from './text-mask.ts'

/**
 * Wraps a tool so that its handler gets the real values. Everything around it (journal, events, approvals) sees the
 * placeholders in its arguments, its progress and its result.
 * @throws ParleyError `tool-schema-invalid` if the tool's input schema cannot be converted to JSON Schema.
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
    // The real values can only be validated here, because the run's partition is known only now.
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

/** Accepts any object. `execute` validates the arguments after it has restored the real values. */
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

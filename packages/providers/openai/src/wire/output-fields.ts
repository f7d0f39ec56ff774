import type { ModelSettings, OutputFormat } from '@parley/core'
import { createRefuse } from '@parley/provider-kit'
import type { Quirks } from '../quirks/quirks.ts'
import { toStrictSchema } from './to-strict-schema.ts'

export interface OutputFieldsOptions {
  readonly provider: string
  readonly model: string
  readonly quirks: Quirks
  readonly api: 'chat' | 'responses'
}

/**
 * Converts the output format to request fields. A schema that cannot be converted to OpenAI's strict form is sent
 * unchanged and without `strict`.
 * @throws `model-unsupported` if the server does not support the format.
 */
export function outputFields(
  output: ModelSettings['output'],
  { provider, model, quirks, api }: OutputFieldsOptions,
): Readonly<Record<string, unknown>> {
  if (output === undefined) return {}
  const { jsonOutput = 'any' } = quirks
  const refuse = createRefuse({ provider, model })
  if (output === 'json') {
    if (jsonOutput === 'schema')
      throw refuse("This server does not support free JSON output. Set settings.output to a schema instead of 'json'.")
    return toWire({ type: 'json_object' }, api)
  }
  if (jsonOutput === 'object')
    throw refuse("This server does not support output schemas. Set settings.output to 'json'.")
  const format = schemaFormat(output, quirks)
  return api === 'chat'
    ? toWire({ type: 'json_schema', json_schema: format }, api)
    : toWire({ type: 'json_schema', ...format }, api)
}

function schemaFormat({ name, schema, strict = true }: OutputFormat, { strictSchemas = 'any' }: Quirks): object {
  if (!strict || strictSchemas === 'any') return { name, strict, schema }
  const converted = toStrictSchema(schema)
  return { name, strict: converted !== undefined, schema: converted ?? schema }
}

function toWire(format: object, api: OutputFieldsOptions['api']): Readonly<Record<string, unknown>> {
  return api === 'chat' ? { response_format: format } : { text: { format } }
}

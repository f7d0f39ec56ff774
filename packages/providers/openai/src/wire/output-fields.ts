import { ParleyError, type ModelSettings, type OutputFormat } from '@parley/core'
import type { Quirks } from '../quirks/quirks.ts'
import { toStrictSchema } from './to-strict-schema.ts'

export interface OutputFieldsOptions {
  readonly provider: string
  readonly model: string
  readonly quirks: Quirks
  readonly api: 'chat' | 'responses'
}

/**
 * The form of the answer as fields of the wire. A schema that cannot be brought into the form strict mode demands is sent
 * as it is, not strict.
 * @throws `model-unsupported` where the server has no such form.
 */
export function outputFields(
  output: ModelSettings['output'],
  { provider, model, quirks, api }: OutputFieldsOptions,
): Readonly<Record<string, unknown>> {
  if (output === undefined) return {}
  const { jsonOutput = 'any' } = quirks
  const refuse = (detail: string): ParleyError =>
    new ParleyError({ code: 'model-unsupported', provider, model, detail })
  if (output === 'json') {
    if (jsonOutput === 'schema') throw refuse("It has no free JSON output. Give settings.output a schema, not 'json'.")
    return toWire({ type: 'json_object' }, api)
  }
  if (jsonOutput === 'object') throw refuse("It cannot be held to a schema. Set settings.output to 'json'.")
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

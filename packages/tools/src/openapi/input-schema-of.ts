import type { JsonSchemaObject } from '@parley/core'
import { fieldsOf, type Fields, type OpenApiOperation, type OpenApiParameter } from './open-api-document.ts'
import { lookUp } from './resolve-pointer.ts'

/** The input of an operation's tool, and where each value belongs in the request. */
export interface OperationInput {
  readonly schema: JsonSchemaObject
  /** Parameters by the name that the model uses. */
  readonly parameters: ReadonlyMap<string, OpenApiParameter>
  /** Name of the body. `undefined` if the operation has none. */
  readonly body: string | undefined
}

/**
 * Builds one object schema from an operation's parameters and body. If two parameters share a name, the second gets its place
 * as a prefix (`query_id`).
 * @throws ParleyError `config-invalid` if a `$ref` cannot be resolved.
 */
export function inputSchemaOf({ parameters, body }: OpenApiOperation, root: Fields): OperationInput {
  const definitions: Record<string, JsonSchemaObject> = {}
  const convert = createConverter(root, definitions)
  const properties: Record<string, JsonSchemaObject> = {}
  const required: string[] = []
  const named = new Map<string, OpenApiParameter>()
  for (const parameter of parameters) {
    const name = Object.hasOwn(properties, parameter.name) ? `${parameter.in}_${parameter.name}` : parameter.name
    const { description } = parameter
    properties[name] = { ...fieldsOf(convert(parameter.schema)), ...(description === undefined ? {} : { description }) }
    if (parameter.required) required.push(name)
    named.set(name, parameter)
  }
  const bodyName = body === undefined ? undefined : Object.hasOwn(properties, 'body') ? 'request_body' : 'body'
  if (body !== undefined && bodyName !== undefined) {
    properties[bodyName] = fieldsOf(convert(body.schema)) ?? {}
    if (body.required) required.push(bodyName)
  }
  return {
    schema: {
      type: 'object',
      properties,
      ...(required.length === 0 ? {} : { required }),
      additionalProperties: false,
      ...(Object.keys(definitions).length === 0 ? {} : { $defs: definitions }),
    },
    parameters: named,
    body: bodyName,
  }
}

/** OpenAPI keywords that JSON Schema does not have. */
const FOREIGN = new Set(['nullable', 'example', 'discriminator', 'xml', 'externalDocs', 'readOnly', 'writeOnly'])
/** Keywords whose value maps names to schemas. */
const MAPS = new Set(['properties', 'patternProperties', '$defs', 'dependentSchemas'])
/** Keywords whose value is data, not a schema. */
const VALUES = new Set(['enum', 'const', 'default', 'examples', 'required'])

/**
 * Converts schemas of the document to JSON Schema. Collects each referenced schema once in `definitions`, even a
 * recursive one.
 */
function createConverter(root: Fields, definitions: Record<string, JsonSchemaObject>): (schema: unknown) => unknown {
  const names = new Map<string, string>()

  function nameOf(reference: string): string {
    const known = names.get(reference)
    if (known !== undefined) return known
    const last = reference.slice(reference.lastIndexOf('/') + 1).replaceAll(/[^A-Za-z0-9_.-]/g, '_')
    const name = Object.hasOwn(definitions, last) ? `${last}_${names.size}` : last
    names.set(reference, name)
    definitions[name] = {}
    definitions[name] = fieldsOf(convert(lookUp(reference, root))) ?? {}
    return name
  }

  function convert(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map(convert)
    const fields = fieldsOf(schema)
    if (fields === undefined) return schema
    if (typeof fields['$ref'] === 'string') return { $ref: `#/$defs/${nameOf(fields['$ref'])}` }
    const out: Record<string, unknown> = {}
    for (const [word, value] of Object.entries(fields)) {
      if (FOREIGN.has(word) || word.startsWith('x-')) continue
      if (word.startsWith('exclusive') && typeof value === 'boolean') {
        const bound = word === 'exclusiveMinimum' ? 'minimum' : 'maximum'
        if (value) out[word] = fields[bound]
      } else if (VALUES.has(word)) out[word] = value
      else if (MAPS.has(word)) out[word] = convertMembers(value)
      else out[word] = convert(value)
    }
    return fields['nullable'] === true ? orNull(out) : out
  }

  function convertMembers(value: unknown): Fields {
    return Object.fromEntries(Object.entries(fieldsOf(value) ?? {}).map(([name, member]) => [name, convert(member)]))
  }

  return convert
}

function orNull(schema: Fields): Fields {
  const { type, enum: choices } = schema
  if (typeof type !== 'string') return { anyOf: [schema, { type: 'null' }] }
  return {
    ...schema,
    type: [type, 'null'],
    ...(Array.isArray(choices) ? { enum: [...(choices as unknown[]), null] } : {}),
  }
}

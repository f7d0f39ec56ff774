import { parseField } from '../../elements/form-values.ts'
import type { Json, JsonSchemaObject } from '@parley/core'

/** A field of a form. */
export interface FormField {
  readonly name: string
  readonly kind: 'text' | 'number' | 'boolean' | 'choice' | 'json'
  readonly isRequired: boolean
  readonly description?: string | undefined
  /** Values to choose from. */
  readonly options: readonly string[]
  /** Default of the schema, as text. */
  readonly initial?: string | undefined
}

/** Makes a form from the JSON Schema of an object: one field for each property. What no simple field can hold is JSON. */
export function toFormFields(schema: JsonSchemaObject): readonly FormField[] {
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchemaObject>>
  const required = new Set((schema['required'] ?? []) as readonly string[])
  return Object.entries(properties).map(([name, property]) => {
    const { kind, options } = kindOf(property)
    const { description, default: initial } = property
    return {
      name,
      kind,
      options,
      isRequired: required.has(name) && initial === undefined,
      description: typeof description === 'string' ? description : undefined,
      initial: initial === undefined ? undefined : typeof initial === 'string' ? initial : JSON.stringify(initial),
    }
  })
}

function kindOf(property: JsonSchemaObject): Pick<FormField, 'kind' | 'options'> {
  const { type, enum: values } = property
  if (Array.isArray(values) && values.every(value => typeof value === 'string'))
    return { kind: 'choice', options: values }
  if (type === 'boolean') return { kind: 'boolean', options: ['true', 'false'] }
  if (type === 'number' || type === 'integer') return { kind: 'number', options: [] }
  return { kind: type === 'string' ? 'text' : 'json', options: [] }
}

/**
 * Reads the values of the form. Empty fields are left out.
 * @throws Error that names the field, if its text is not JSON
 */
export function readValues(fields: readonly FormField[], form: Pick<FormData, 'get'>): Record<string, Json> {
  const values: Record<string, Json> = {}
  for (const { name, kind } of fields) {
    const text = form.get(`field-${name}`)
    if (typeof text !== 'string' || text === '') continue
    values[name] = valueOf(name, kind, text)
  }
  return values
}

function valueOf(name: string, kind: FormField['kind'], text: string): Json {
  if (kind === 'text' || kind === 'choice') return text
  if (kind === 'boolean') return text === 'true'
  if (kind === 'number') return Number(text)
  return parseField(text, name)
}

import type { JsonSchemaObject } from '@parley/core'

type Fields = Readonly<Record<string, unknown>>

/** Changes `input` to fit `schema` where the meaning is unambiguous. Returns `input` itself if nothing changes. */
export function fitArguments(input: unknown, schema: JsonSchemaObject): unknown {
  if (input === null) return {}
  if (Array.isArray(input) && input.length === 1 && isRecord(input[0])) return fit(input[0], schema, schema)
  return fit(input, schema, schema)
}

function fit(value: unknown, given: unknown, root: JsonSchemaObject): unknown {
  const schema = resolve(given, root)
  if (schema === undefined) return value
  const types = typesOf(schema)
  const meant = types.length === 0 || types.some(type => isOfType(value, type)) ? value : convert(value, types)
  if (typeof meant === 'string' && Array.isArray(schema['enum'])) return fitEnum(meant, schema['enum'])
  if (Array.isArray(meant)) return fitItems(meant, schema['items'], root)
  return isRecord(meant) ? fitFields(meant, schema, root) : meant
}

function fitItems(items: readonly unknown[], schema: unknown, root: JsonSchemaObject): readonly unknown[] {
  const fitted = items.map(item => fit(item, schema, root))
  return fitted.every((item, index) => item === items[index]) ? items : fitted
}

function fitFields(value: Fields, schema: Fields, root: JsonSchemaObject): Fields {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {}
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const result = new Map<string, unknown>()
  let changed = false
  for (const [key, part] of Object.entries(value)) {
    const name = Object.hasOwn(properties, key) ? key : meantKey(key, properties, value)
    const property = name === undefined ? undefined : resolve(properties[name], root)
    const isDropped =
      name === undefined
        ? schema['additionalProperties'] === false
        : part === null && !required.includes(name) && property !== undefined && !allowsNull(property)
    changed ||= isDropped || (name !== undefined && name !== key)
    if (isDropped) continue
    const fitted = name === undefined ? part : fit(part, property, root)
    changed ||= fitted !== part
    result.set(name ?? key, fitted)
  }
  return changed ? Object.fromEntries(result) : value
}

/** Returns the property that differs from `key` only in case and separators, unless the value also has it under its own name. */
function meantKey(key: string, properties: Fields, value: Fields): string | undefined {
  const plain = plainKey(key)
  const found = Object.keys(properties).filter(name => plainKey(name) === plain && !Object.hasOwn(value, name))
  return found.length === 1 ? found[0] : undefined
}

function plainKey(key: string): string {
  return key.replaceAll(/[_\- ]/g, '').toLowerCase()
}

function fitEnum(value: string, allowed: readonly unknown[]): string {
  if (allowed.includes(value)) return value
  const plain = value.trim().toLowerCase()
  const found = allowed.filter(item => typeof item === 'string' && item.toLowerCase() === plain)
  return found.length === 1 ? String(found[0]) : value
}

/** Converts `value` to one of the types. Returns it unchanged if no conversion is unambiguous. */
function convert(value: unknown, types: readonly string[]): unknown {
  if (typeof value === 'string') return convertText(value, types)
  if (types.includes('string') && (typeof value === 'number' || typeof value === 'boolean')) return String(value)
  if (types.includes('array') && value !== null && value !== undefined) return [value]
  return value
}

function convertText(text: string, types: readonly string[]): unknown {
  const trimmed = text.trim()
  if (types.includes('null') && trimmed === 'null') return null
  const parsed = /^(true|false)$/i.test(trimmed) ? trimmed.toLowerCase() === 'true' : parse(trimmed)
  if (parsed !== undefined && types.some(type => isOfType(parsed, type))) return parsed
  return types.includes('array') ? [text] : text
}

/** Parses JSON. Returns `undefined` for an integer that a double cannot hold exactly, because conversion would change it. */
function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    const isExact = typeof value !== 'number' || !Number.isInteger(value) || Number.isSafeInteger(value)
    return isExact ? value : undefined
  } catch {
    return undefined
  }
}

function typesOf(schema: Fields): readonly string[] {
  const { type } = schema
  if (typeof type === 'string') return [type]
  return Array.isArray(type) ? type.filter(each => typeof each === 'string') : []
}

function allowsNull(schema: Fields): boolean {
  const types = typesOf(schema)
  // A schema without a type does not exclude null.
  return types.length === 0 || types.includes('null')
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isRecord(value)
    case 'integer':
      return Number.isInteger(value)
    default:
      return typeof value === type
  }
}

/** Returns the schema itself, or the schema of the same document that its `$ref` names. */
function resolve(schema: unknown, root: JsonSchemaObject): Fields | undefined {
  if (!isRecord(schema)) return undefined
  const { $ref } = schema
  if (typeof $ref !== 'string') return schema
  const name = /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec($ref)?.[1]
  const defs = root['$defs'] ?? root['definitions']
  const target = name !== undefined && isRecord(defs) ? defs[name] : undefined
  return isRecord(target) && !('$ref' in target) ? target : undefined
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

import type { Json } from '@parley/core'
import { isFields, type Fields, type FileScope, type KeyPath } from './file-scope.ts'
import { PROPERTY_KINDS, type PromptyProperty, type PropertyKind } from './prompty-agent.ts'

/** A map with one of these keys defines a property. Any other map is a default value. */
const DEFINING = [
  'kind',
  'type',
  'description',
  'required',
  'nullable',
  'default',
  'sample',
  'example',
  'enumValues',
  'enum',
  'items',
  'properties',
  'oneOf',
  'anyOf',
  'strict',
]

/**
 * Reads properties in all their forms: a list, a map by name, `{ properties: … }` around either, or plain values, which become
 * defaults.
 * @throws ParleyError `config-invalid`.
 */
export function readProperties(value: Json | undefined, key: KeyPath, scope: FileScope): readonly PromptyProperty[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) {
    const list = value.map((item, index) => readListed(item, [...key, index], scope))
    checkUnique(list, key, scope)
    return list
  }
  if (!isFields(value)) return scope.fail(key, 'must be a list or a map by name.')
  const inner = value['properties']
  if (isFields(inner) && Object.values(inner).every(isFields))
    return readProperties(inner, [...key, 'properties'], scope)
  if (Array.isArray(inner)) return readProperties(inner, [...key, 'properties'], scope)
  return Object.entries(value).map(([name, item]) => readNamed(name, item, { key: [...key, name], scope }))
}

function readListed(item: Json, key: KeyPath, scope: FileScope): PromptyProperty {
  if (!isFields(item)) return scope.fail(key, 'must be a map with a name.')
  const { name } = item
  if (typeof name !== 'string' || name === '') return scope.fail([...key, 'name'], 'must be a name.')
  return readProperty(name, item, { key, scope })
}

interface Place {
  readonly key: KeyPath
  readonly scope: FileScope
}

function readNamed(name: string, item: Json, place: Place): PromptyProperty {
  const defines = isFields(item) && (Object.keys(item).length === 0 || DEFINING.some(field => field in item))
  if (defines) return readProperty(name, item, place)
  return item === null ? { name, kind: 'string' } : { name, kind: kindOfValue(item), default: item }
}

function readProperty(name: string, item: Fields, { key, scope }: Place): PromptyProperty {
  const { kind: given, type, sample, enum: choices, items, properties, oneOf, anyOf, ...rest } = item
  if (type !== undefined && given === undefined) scope.warn([...key, 'type'], "'type' is an older form of 'kind'.")
  if (sample !== undefined) scope.warn([...key, 'sample'], "'sample' is an older form of 'default'.")
  const initial = rest['default'] ?? sample
  const kind = readKind(given ?? type, initial, { key, scope })
  const list = (field: 'oneOf' | 'anyOf'): { readonly [name in typeof field]?: readonly PromptyProperty[] } => {
    const value = item[field]
    if (value === undefined || value === null) return {}
    if (!Array.isArray(value)) return scope.fail([...key, field], 'must be a list.')
    return { [field]: value.map((entry, index) => readVariant(entry, index, { key: [...key, field], scope })) }
  }
  if (kind === 'union' && (oneOf === undefined) === (anyOf === undefined))
    scope.fail(key, `the union '${name}' must have either oneOf or anyOf.`)
  const values = rest['enumValues'] ?? choices
  if (values !== undefined && values !== null && !Array.isArray(values))
    scope.fail([...key, 'enumValues'], 'must be a list.')
  return {
    ...(rest as Partial<PromptyProperty>),
    name,
    kind,
    ...(initial === undefined ? {} : { default: initial }),
    ...(Array.isArray(values) ? { enumValues: values } : {}),
    ...(items === undefined || items === null
      ? {}
      : { items: readVariant(items, 0, { key: [...key, 'items'], scope }) }),
    ...(properties === undefined ? {} : { properties: readProperties(properties, [...key, 'properties'], scope) }),
    ...list('oneOf'),
    ...list('anyOf'),
  }
}

/** Reads a property without a name: the item of an array, or a kind of a union. */
function readVariant(value: Json, index: number, { key, scope }: Place): PromptyProperty {
  if (typeof value === 'string') return { name: `item${index}`, kind: readKind(value, undefined, { key, scope }) }
  if (!isFields(value)) return scope.fail(key, 'must be a property or a kind.')
  const name = typeof value['name'] === 'string' ? value['name'] : `item${index}`
  return readProperty(name, value, { key, scope })
}

function readKind(kind: Json | undefined, initial: Json | undefined, { key, scope }: Place): PropertyKind {
  if (kind === undefined || kind === null)
    return initial === undefined || initial === null ? 'string' : kindOfValue(initial)
  const known = PROPERTY_KINDS.find(name => name === kind)
  return (
    known ?? scope.fail([...key, 'kind'], `is ${JSON.stringify(kind)}; must be one of ${PROPERTY_KINDS.join(', ')}.`)
  )
}

function kindOfValue(value: Json): PropertyKind {
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'float'
  if (typeof value === 'boolean') return 'boolean'
  return typeof value === 'string' ? 'string' : 'object'
}

function checkUnique(list: readonly PromptyProperty[], key: KeyPath, scope: FileScope): void {
  const names = new Set<string>()
  for (const { name } of list) {
    if (names.has(name)) scope.fail(key, `repeats the name '${name}'.`)
    names.add(name)
  }
}

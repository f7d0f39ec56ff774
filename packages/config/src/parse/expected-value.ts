import type { JsonSchemaObject } from '@parley/core'
import type { KeyPath } from '../schema/config.ts'

type Node = Readonly<Record<string, unknown>>

/** Returns the schemas that the value at `key` may fit, with unions split into their branches. */
export function schemasAt(schema: JsonSchemaObject, key: KeyPath): readonly Node[] {
  return key.reduce<readonly Node[]>((nodes, part) => nodes.flatMap(node => below(node, part)), branches(schema))
}

/** Returns the keys that an object of one of these schemas may have. */
export function keysOf(nodes: readonly Node[]): readonly string[] {
  return [...new Set(nodes.flatMap(node => Object.keys(asNode(node['properties']))))]
}

/** Whether one of these schemas accepts any string. */
export function acceptsString(nodes: readonly Node[]): boolean {
  return nodes.some(node => node['type'] === 'string')
}

/** Describes what a value must be: `a non-empty string or a positive integer`. */
export function expectedWords(nodes: readonly Node[]): string {
  const values = [...new Set(literalsOf(nodes).map(value => `'${value}'`))]
  const kinds = nodes.filter(node => node['const'] === undefined && node['enum'] === undefined).map(kindWords)
  const all = [...values, ...new Set(kinds)]
  const last = all.pop() ?? 'something else'
  return all.length === 0 ? last : `${all.join(', ')} or ${last}`
}

/** Returns the literal strings among these schemas. */
export function literalsOf(nodes: readonly Node[]): readonly string[] {
  const literals = nodes.flatMap(node => (node['const'] === undefined ? asList(node['enum']) : [node['const']]))
  return literals.filter((value): value is string => typeof value === 'string')
}

function kindWords(node: Node): string {
  switch (node['type']) {
    case 'string':
      return typeof node['pattern'] === 'string' ? `a string that matches ${node['pattern']}` : 'a non-empty string'
    case 'integer':
      return integerWords(node)
    case 'number':
      return `a number${rangeWords(node)}`
    case 'boolean':
      return 'true or false'
    case 'array':
      return 'a list'
    case 'object':
      return objectWords(node)
    default:
      return 'anything'
  }
}

function objectWords(node: Node): string {
  const required = asList(node['required']).map(String)
  return required.length === 0 ? 'an object' : `an object with ${required.join(' and ')}`
}

function integerWords(node: Node): string {
  const range = rangeWords(node)
  return range === ' of at least 1' ? 'a positive integer' : `an integer${range}`
}

function rangeWords({ minimum, exclusiveMinimum, maximum }: Node): string {
  const least = typeof minimum === 'number' && minimum > Number.MIN_SAFE_INTEGER ? minimum : undefined
  const most = typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER ? maximum : undefined
  if (typeof exclusiveMinimum === 'number') return ` above ${exclusiveMinimum}`
  if (least !== undefined && most !== undefined) return ` from ${least} to ${most}`
  return least === undefined ? '' : ` of at least ${least}`
}

function below(node: Node, part: string | number): readonly Node[] {
  if (typeof part === 'number') return branches(asNode(node['items']))
  const own = asNode(node['properties'])[part]
  if (own !== undefined) return branches(asNode(own))
  return typeof node['additionalProperties'] === 'object' ? branches(asNode(node['additionalProperties'])) : []
}

function branches(node: Node): readonly Node[] {
  const parts = [...asList(node['anyOf']), ...asList(node['oneOf'])]
  return parts.length === 0 ? [node] : parts.flatMap(part => branches(asNode(part)))
}

function asNode(value: unknown): Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Node) : {}
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

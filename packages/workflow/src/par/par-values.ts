import type { Json } from '@parley/core'
import { isObject } from '../template/json.ts'
import { refuse } from '../template/site.ts'

/** Reads a tagged value: `["Tag"]`, `["Tag", payload]`, or only `"Tag"`. */
export function tagOf(value: Json | undefined, path: string): readonly [tag: string, ...payload: Json[]] {
  if (typeof value === 'string') return [value]
  if (!Array.isArray(value)) return refuse(path, 'must be a list that starts with a tag')
  const [tag, ...payload] = value
  return typeof tag === 'string' ? [tag, ...payload] : refuse(path, 'must start with a tag')
}

export function textOf(value: Json | undefined, path: string): string {
  return typeof value === 'string' ? value : refuse(path, 'must be a string')
}

export function listOf(value: Json | undefined, path: string): readonly Json[] {
  return Array.isArray(value) ? value : refuse(path, 'must be a list')
}

export function recordOf(value: Json | undefined, path: string): Readonly<Record<string, Json>> {
  return isObject(value) ? value : refuse(path, 'must be an object')
}

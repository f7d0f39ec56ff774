import type { Json } from '@parley/core'
import { splitTemplate } from '@parley/engine'
import { compileReference } from './compile-reference.ts'
import { isObject, toText } from './json.ts'
import type { Evaluate, Scope } from './scope.ts'
import { below, type Site } from './site.ts'

/**
 * Compiles a string with `{{path}}` in it. Values are inserted in one pass, so braces and backslashes in them are kept.
 * @throws ParleyError `config-invalid` if a placeholder is malformed or names an unknown value.
 */
export function compileText(template: string, site: Site): (scope: Scope) => string {
  const pieces = splitTemplate(template, site.path).map(piece => {
    if ('text' in piece) return () => piece.text
    const value = compileReference(piece.name, site)
    return (scope: Scope) => toText(value(scope))
  })
  return scope => pieces.map(piece => piece(scope)).join('')
}

/** Compiles data with strings in it. If a string is only one placeholder, the value keeps its type. */
export function compileData(data: Json, site: Site): Evaluate {
  if (typeof data === 'string') {
    const [piece, ...others] = splitTemplate(data, site.path)
    if (piece !== undefined && 'name' in piece && others.length === 0) return compileReference(piece.name, site)
    return compileText(data, site)
  }
  if (Array.isArray(data)) {
    const items = data.map((item, index) => compileData(item, below(site, `[${index}]`)))
    return scope => items.map(item => item(scope))
  }
  if (!isObject(data)) return () => data
  const members = Object.entries(data).map(([key, value]) => [key, compileData(value, below(site, `.${key}`))] as const)
  // `Object.fromEntries` makes `__proto__` an ordinary key.
  return scope => Object.fromEntries(members.map(([key, value]) => [key, value(scope)]))
}

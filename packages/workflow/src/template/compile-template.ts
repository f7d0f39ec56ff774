import type { Json } from '@parley/core'
import { splitTemplate } from '@parley/engine'
import { compileReference } from './compile-reference.ts'
import { isObject, toText } from './json.ts'
import type { Evaluate, Scope } from './scope.ts'
import { below, type Site } from './site.ts'

/**
 * Compiles a text with `{{path}}` in it. Values are put in in one pass: braces and backslashes in them stay what they are.
 * @throws ParleyError `config-invalid` for a malformed placeholder, or one that names what the site cannot see.
 */
export function compileText(template: string, site: Site): (scope: Scope) => string {
  const pieces = splitTemplate(template, site.path).map(piece => {
    if ('text' in piece) return () => piece.text
    const value = compileReference(piece.name, site)
    return (scope: Scope) => toText(value(scope))
  })
  return scope => pieces.map(piece => piece(scope)).join('')
}

/** The same for data with texts in it. A text that is nothing but one placeholder becomes the value itself. */
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
  // From entries: `__proto__` is a member like any other.
  return scope => Object.fromEntries(members.map(([key, value]) => [key, value(scope)]))
}

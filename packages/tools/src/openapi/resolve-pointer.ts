import { ParleyError } from '@parley/core'
import { fieldsOf, type Fields } from './open-api-document.ts'

/** Maximum length of a chain of `$ref`s, each of which leads to the next. */
const MAX_CHAIN = 50

/**
 * Follows a local `$ref` if the value is one. Otherwise returns the value.
 * @throws ParleyError `config-invalid` if a reference leads nowhere, in a circle, or out of the document.
 */
export function resolvePointer(value: unknown, root: Fields): unknown {
  let found = value
  for (let count = 0; ; count++) {
    const reference = fieldsOf(found)?.['$ref']
    if (typeof reference !== 'string') return found
    if (count > MAX_CHAIN) refuse(reference, 'refers to itself')
    found = lookUp(reference, root)
  }
}

/** Returns the part of the document that a local reference names. @throws ParleyError `config-invalid` if that part does not exist. */
export function lookUp(reference: string, root: Fields): unknown {
  if (!reference.startsWith('#/')) refuse(reference, 'leads out of the document; only local references are supported')
  let found: unknown = root
  for (const part of reference.slice(2).split('/')) {
    const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
    const holder =
      typeof found === 'object' && found !== null && Object.hasOwn(found, key) ? (found as Fields) : undefined
    if (holder === undefined) return refuse(reference, 'leads nowhere')
    found = holder[key]
  }
  return found
}

function refuse(reference: string, detail: string): never {
  throw new ParleyError({ code: 'config-invalid', path: `openapi ${reference}`, detail })
}

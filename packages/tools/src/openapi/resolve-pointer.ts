import { ParleyError } from '@parley/core'
import { fieldsOf, type Fields } from './open-api-document.ts'

const LONGEST_CHAIN = 50

/**
 * What stands behind a local `$ref`, if the value is one.
 * @throws ParleyError `config-invalid` for a reference that leads nowhere, in a circle, or out of the document.
 */
export function resolvePointer(value: unknown, root: Fields): unknown {
  let found = value
  for (let count = 0; ; count++) {
    const reference = fieldsOf(found)?.['$ref']
    if (typeof reference !== 'string') return found
    if (count > LONGEST_CHAIN) refuse(reference, 'refers to itself')
    found = lookUp(reference, root)
  }
}

/** @throws ParleyError `config-invalid`. */
export function lookUp(reference: string, root: Fields): unknown {
  if (!reference.startsWith('#/')) refuse(reference, 'leads out of the document; only local references are followed')
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

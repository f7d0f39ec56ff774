import { refuse } from '../template/site.ts'

/**
 * Checks that a value is JSON. Keys with the value `undefined` count as missing.
 * @throws ParleyError `config-invalid` with the path of the first value that is not JSON.
 */
export function refuseNonJson(value: unknown, path: string): void {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return
  if (typeof value === 'number' && Number.isFinite(value)) return
  if (Array.isArray(value)) {
    value.forEach((item: unknown, index) => refuseNonJson(item, `${path}[${index}]`))
    return
  }
  if (!isPlain(value)) refuse(path, `is ${nameOf(value)}; must be JSON to be saved`)
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined) refuseNonJson(member, `${path}.${key}`)
  }
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

function nameOf(value: unknown): string {
  if (typeof value !== 'object' || value === null)
    return typeof value === 'number' ? String(value) : `a ${typeof value}`
  return `a ${value.constructor.name}`
}

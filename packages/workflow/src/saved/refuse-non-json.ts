import { refuse } from '../template/site.ts'

/**
 * Members that are undefined count as absent.
 * @throws ParleyError `config-invalid` with the path of the first value that JSON cannot carry.
 */
export function refuseNonJson(value: unknown, path: string): void {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return
  if (typeof value === 'number' && Number.isFinite(value)) return
  if (Array.isArray(value)) {
    value.forEach((item: unknown, index) => refuseNonJson(item, `${path}[${index}]`))
    return
  }
  if (!isPlain(value)) refuse(path, `is ${nameOf(value)}, which cannot be saved: a saved workflow is JSON`)
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

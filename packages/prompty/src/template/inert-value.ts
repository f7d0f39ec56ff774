/** Returns an own data property. `undefined` for inherited properties, getters and functions: a template never calls a value. */
export function ownValue(holder: unknown, name: string | number): unknown {
  if (typeof holder === 'string')
    return typeof name === 'number' ? holder[name] : name === 'length' ? holder.length : undefined
  if (typeof holder !== 'object' || holder === null) return undefined
  const key = Array.isArray(holder) && typeof name === 'number' && name < 0 ? holder.length + name : name
  const value: unknown = Object.getOwnPropertyDescriptor(holder, key)?.value
  return typeof value === 'function' || typeof value === 'symbol' ? undefined : value
}

/** Renders a value as text. */
export function valueText(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value
    case 'number':
    case 'boolean':
    case 'bigint':
      return String(value)
    case 'object':
      if (value === null) return ''
      return value instanceof Date ? value.toISOString() : (JSON.stringify(plainCopy(value, 0)) ?? '')
    case 'undefined':
    case 'function':
    case 'symbol':
      return ''
  }
}

export function isTruthy(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0
  if (typeof value === 'object' && value !== null) return value instanceof Date || Object.keys(value).length > 0
  return Boolean(value)
}

/** Whether two values have the same content. */
export function sameValue(left: unknown, right: unknown): boolean {
  if (left === right || (left ?? null) === (right ?? null)) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  return valueText(left) === valueText(right)
}

const DEEPEST = 50

/** Copies the own properties of a value, without the `toJSON` methods that `JSON.stringify` would call. */
function plainCopy(value: unknown, depth: number): unknown {
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? undefined : value
  if (value instanceof Date) return value.toISOString()
  if (depth > DEEPEST) return '…'
  if (Array.isArray(value)) return value.map(item => plainCopy(item, depth + 1))
  const copy: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  for (const key of Object.keys(value)) copy[key] = plainCopy(ownValue(value, key), depth + 1)
  return copy
}

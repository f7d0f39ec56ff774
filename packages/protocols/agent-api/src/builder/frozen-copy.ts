/** Returns a deeply frozen copy of a JSON value. */
export function frozenCopy<TValue>(value: TValue): TValue {
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy)) as TValue
  if (typeof value !== 'object' || value === null) return value
  const copy: Record<string, unknown> = { ...value }
  for (const key of Object.keys(copy)) copy[key] = frozenCopy(copy[key])
  return Object.freeze(copy) as TValue
}

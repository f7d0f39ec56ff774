/** Returns a deeply frozen copy of a JSON value. */
export function frozenCopy<TValue>(value: TValue): TValue {
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy)) as TValue
  if (typeof value !== 'object' || value === null) return value
  return Object.freeze(
    Object.fromEntries(Object.entries(value).map(([key, field]) => [key, frozenCopy(field)])),
  ) as TValue
}

/**
 * Remembers the encoded form of immutable values by identity, so that each turn encodes only what is new. Forgets a
 * value when nobody else holds it.
 * @param encode Its second argument serves the first encoding only: it must not matter later.
 */
export function createEncodingCache<TValue extends object, TEncoded, TContext = void>(
  encode: (value: TValue, context: TContext) => TEncoded,
): (value: TValue, context: TContext) => TEncoded {
  const known = new WeakMap<TValue, TEncoded>()
  return (value, context) => {
    const hit = known.get(value)
    if (hit !== undefined) return hit
    const encoded = encode(value, context)
    known.set(value, encoded)
    return encoded
  }
}

/**
 * Wraps an encoder so that each immutable value is encoded once. The result is kept by the identity of the value, so a
 * call encodes only messages and tools that are new since the previous call (bench: tricks encoding-cache). Values are
 * held weakly.
 * @param encode Called once for each value. Its result must also be valid for the `context` of later calls.
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

/** Removes the fields that are `undefined`, so that they count as absent. */
export function withoutUndefined<TFields extends object>(fields: TFields | undefined): Partial<TFields> {
  const given = Object.entries(fields ?? {}).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given) as Partial<TFields>
}

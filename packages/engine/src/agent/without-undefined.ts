/** A field that is set to undefined says no more than one that is absent. */
export function withoutUndefined<TFields extends object>(fields: TFields | undefined): Partial<TFields> {
  const given = Object.entries(fields ?? {}).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given) as Partial<TFields>
}

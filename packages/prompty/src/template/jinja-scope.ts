/** Names a template can read, each with the input its value came from. */
export interface JinjaScope {
  lookup(name: string): { readonly value: unknown; readonly source: string | undefined }
}

/** The inputs themselves. */
export function inputScope(inputs: ReadonlyMap<string, unknown>): JinjaScope {
  return { lookup: name => ({ value: inputs.get(name), source: name }) }
}

/** `outer`, with some names bound. A binding without a source was made by the template. */
export function boundScope(
  outer: JinjaScope,
  bound: ReadonlyMap<string, { readonly value: unknown; readonly source: string | undefined }>,
): JinjaScope {
  return { lookup: name => bound.get(name) ?? outer.lookup(name) }
}

/** The names that a template can read, each with the input that its value comes from. */
export interface JinjaScope {
  lookup(name: string): { readonly value: unknown; readonly source: string | undefined }
}

/** The scope of the inputs. */
export function inputScope(inputs: ReadonlyMap<string, unknown>): JinjaScope {
  return { lookup: name => ({ value: inputs.get(name), source: name }) }
}

/** Adds names to a scope. A name that the template itself creates, such as `loop`, has no source. */
export function boundScope(
  outer: JinjaScope,
  bound: ReadonlyMap<string, { readonly value: unknown; readonly source: string | undefined }>,
): JinjaScope {
  return { lookup: name => bound.get(name) ?? outer.lookup(name) }
}

import { ParleyError } from '@parley/core'

/** A value that a step can use. Its identity distinguishes it from other values with the same key. */
export interface Binding {
  readonly key: string
}

/** A place in a definition, and the values that can be used there. */
export interface Site {
  /** The path for error messages: `workflows.review.steps[2].prompt`. */
  readonly path: string
  readonly visible: ReadonlyMap<string, Binding>
  /** Collects the values that are used. */
  readonly uses: Set<Binding>
}

/** Returns the site of a field inside this one. */
export function below(site: Site, path: string): Site {
  return { ...site, path: `${site.path}${path}` }
}

/** Adds or replaces values of a site. */
export function seeing(site: Site, bindings: readonly Binding[]): Site {
  return { ...site, visible: new Map([...site.visible, ...bindings.map(binding => [binding.key, binding] as const)]) }
}

/** Rejects the definition at a path. @throws ParleyError `config-invalid`, always. */
export function refuse(path: string, detail: string): never {
  throw new ParleyError({ code: 'config-invalid', path, detail })
}

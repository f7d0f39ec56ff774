import { ParleyError } from '@parley/core'

/** A value that a step may use, told apart from others of the same key. */
export interface Binding {
  readonly key: string
}

/** Where in a definition something stands, and what it may use there. */
export interface Site {
  /** For messages: `workflows.review.steps[2].prompt`. */
  readonly path: string
  readonly visible: ReadonlyMap<string, Binding>
  /** Collects what is used. */
  readonly uses: Set<Binding>
}

export function below(site: Site, path: string): Site {
  return { ...site, path: `${site.path}${path}` }
}

/** The site with values more, or others in their place. */
export function seeing(site: Site, bindings: readonly Binding[]): Site {
  return { ...site, visible: new Map([...site.visible, ...bindings.map(binding => [binding.key, binding] as const)]) }
}

export function refuse(path: string, detail: string): never {
  throw new ParleyError({ code: 'config-invalid', path, detail })
}

import type { SchemaResource } from './schema-resource.ts'

/** The schema resources that a validation has entered, the innermost first. */
export interface DynamicScope {
  readonly resource: SchemaResource
  readonly outer: DynamicScope | undefined
}

/** Returns the first entered resource that has a dynamic anchor of this name. */
export function firstWithAnchor(scope: DynamicScope | undefined, anchor: string): SchemaResource | undefined {
  let found: SchemaResource | undefined
  for (let at = scope; at !== undefined; at = at.outer) if (at.resource.dynamicAnchors.has(anchor)) found = at.resource
  return found
}

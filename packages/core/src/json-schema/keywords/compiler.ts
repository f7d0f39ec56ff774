import type { Check } from '../check.ts'
import type { Dialect } from '../dialect.ts'
import type { SchemaRegistry } from '../schema-registry.ts'
import type { PlacedSchema, SchemaObject } from '../schema-resource.ts'

/** The state and the functions of a compilation that the compilers of keywords use. */
export interface Compiler {
  readonly registry: SchemaRegistry
  /** The schema that is compiled now. */
  readonly place: PlacedSchema & { readonly schema: SchemaObject }
  /** Compiles a schema inside the current one. `below` is its path there. */
  sub(schema: unknown, below: string): Check
  /** Returns the check of a schema that a reference names. It is compiled later, because schemas may refer to each other. */
  target(place: PlacedSchema): Check
  /** Returns a check whether a value is a schema of a dialect. */
  metaschema(dialect: Dialect): Check
  /** Whether references that name nothing are accepted. */
  readonly ignoresReferences: boolean
}

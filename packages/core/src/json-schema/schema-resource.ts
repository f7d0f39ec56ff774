import type { Dialect } from './dialect.ts'

export type SchemaObject = Readonly<Record<string, unknown>>

/** A schema with a URI of its own: a document, or a part of one with `$id`. */
export interface SchemaResource {
  /** The absolute URI of the schema, without a fragment. */
  readonly uri: string
  readonly root: SchemaObject | boolean
  readonly dialect: Dialect
  /** Whether keywords such as `type` and `minimum` are part of the dialect. */
  readonly validates: boolean
  /** Schemas by the name of their anchor. */
  readonly anchors: Map<string, SchemaObject>
  readonly dynamicAnchors: Map<string, SchemaObject>
}

/** A schema and where it stands. */
export interface PlacedSchema {
  readonly schema: SchemaObject | boolean
  readonly resource: SchemaResource
  /** JSON pointer for error messages. */
  readonly path: string
}

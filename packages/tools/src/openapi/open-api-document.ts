/** Members of a JSON object. */
export type Fields = Readonly<Record<string, unknown>>

/** The parts of an OpenAPI 3 document that tools are made from. */
export interface OpenApiDocument {
  /** The whole document, which `$ref` points into. */
  readonly root: Fields
  readonly title: string
  /** Address of the API, with its variables filled in. May be relative. `undefined` if the document has no server address. */
  readonly serverUrl: string | undefined
  readonly operations: readonly OpenApiOperation[]
}

export interface OpenApiOperation {
  readonly id: string
  readonly method: string
  /** Path with its parameters in braces. */
  readonly path: string
  readonly description: string
  readonly tags: readonly string[]
  readonly parameters: readonly OpenApiParameter[]
  readonly body: OpenApiBody | undefined
}

export interface OpenApiParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  readonly required: boolean
  readonly description: string | undefined
  readonly schema: Fields
  /** OpenAPI's style of serializing a list or object in the query. */
  readonly style: string
  readonly explode: boolean
}

export interface OpenApiBody {
  readonly required: boolean
  readonly mediaType: 'application/json' | 'application/x-www-form-urlencoded' | 'text/plain'
  readonly schema: Fields
}

/** Returns the value if it is a JSON object, else `undefined`. */
export function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
}

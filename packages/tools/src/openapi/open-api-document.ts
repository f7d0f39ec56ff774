/** Members of a JSON object. */
export type Fields = Readonly<Record<string, unknown>>

/** An OpenAPI 3 document, as far as tools are made of it. */
export interface OpenApiDocument {
  /** The whole document: `$ref` points into it. */
  readonly root: Fields
  readonly title: string
  /** Address of the API, with variables filled in; may be relative. Undefined when the document names none. */
  readonly serverUrl: string | undefined
  readonly operations: readonly OpenApiOperation[]
}

export interface OpenApiOperation {
  readonly id: string
  readonly method: string
  /** With its parameters in braces. */
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
  /** How a list or map of the query is written. */
  readonly style: string
  readonly explode: boolean
}

export interface OpenApiBody {
  readonly required: boolean
  readonly mediaType: 'application/json' | 'application/x-www-form-urlencoded' | 'text/plain'
  readonly schema: Fields
}

export function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
}

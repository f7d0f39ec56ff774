import { schemaFault } from './check.ts'
import { dialectOf, draft2020, lacksValidation, type Dialect } from './dialect.ts'
import { measureSchema } from './measure-schema.ts'
import { isRecord } from './same-json.ts'
import type { PlacedSchema, SchemaObject, SchemaResource } from './schema-resource.ts'
import { eachSubschema, isSchema } from './subschemas.ts'

/** Schemas that a `$ref` may name, by absolute URI. */
export type SchemaDocuments = Readonly<Record<string, SchemaObject | boolean>>

/** The URI of a schema without one. References in it are relative to this URI. */
const NAMELESS = 'schema:///'
const MOST_SCHEMAS = 5_000

/** Knows every schema of the documents in use, and finds what a reference names. It never uses the network. */
export class SchemaRegistry {
  readonly resources = new Map<string, SchemaResource>()
  readonly #documents: SchemaDocuments
  readonly #places = new Map<SchemaObject, PlacedSchema>()
  /** Names that dynamic references look for. */
  readonly dynamicNames = new Set<string>()

  constructor(documents: SchemaDocuments) {
    this.#documents = documents
  }

  /** Adds a document. @throws ParleyError `config-invalid` */
  add(root: unknown, uri: string = NAMELESS, dialect: Dialect = draft2020): PlacedSchema {
    if (!isSchema(root)) schemaFault('', 'must be an object or a boolean')
    measureSchema(root)
    const resource = this.#resource(root, uri, dialect)
    if (!isRecord(root)) return { schema: root, resource, path: '' }
    return this.#visit(root, { resource, path: '', dialect: resource.dialect })
  }

  /** Returns where a schema stands. */
  place(schema: SchemaObject | boolean, parent: PlacedSchema, path: string): PlacedSchema {
    if (!isRecord(schema)) return { schema, resource: parent.resource, path }
    const known = this.#places.get(schema)
    if (known !== undefined) return known
    // Reached by a reference, behind a keyword that does not contain schemas.
    return this.#visit(schema, { resource: parent.resource, path, dialect: parent.resource.dialect })
  }

  /** Returns every known schema, whether it is used or not. */
  all(): readonly PlacedSchema[] {
    return [...this.#places.values()]
  }

  /** Whether a reference names a registered document or a part of the schema. */
  knows(reference: string, from: PlacedSchema): boolean {
    const uri = resolveUri(reference, from.resource.uri)?.replace(/#.*$/, '')
    return uri !== undefined && (this.resources.get(uri) ?? this.#load(uri, from)) !== undefined
  }

  /** Returns what a reference names. @throws ParleyError `config-invalid` */
  resolve(reference: string, from: PlacedSchema, path: string): PlacedSchema {
    const dangling = (): never => schemaFault(path, `'${reference.slice(0, 200)}' names nothing in the schema`)
    const uri = resolveUri(reference, from.resource.uri) ?? dangling()
    const [base = '', fragment = ''] = uri.split('#', 2)
    const resource = this.resources.get(base) ?? this.#load(base, from) ?? dangling()
    if (fragment !== '' && !fragment.startsWith('/')) {
      const schema = resource.anchors.get(decode(fragment)) ?? dangling()
      return this.#places.get(schema) ?? dangling()
    }
    return this.#follow(resource, decode(fragment), path) ?? dangling()
  }

  /** Returns the schemas that dynamic references may mean. */
  dynamicTargets(): readonly PlacedSchema[] {
    return [...new Set(this.resources.values())].flatMap(resource =>
      [...resource.dynamicAnchors]
        .filter(([name]) => this.dynamicNames.has(name))
        .map(([, schema]) => this.place(schema, { schema: resource.root, resource, path: '' }, '')),
    )
  }

  /** Adds a registered document. Without a `$schema`, it has the dialect of the schema that refers to it. */
  #load(uri: string, { resource }: PlacedSchema): SchemaResource | undefined {
    const document = Object.entries(this.#documents).find(([name]) => name.replace(/#$/, '') === uri)?.[1]
    if (document === undefined) return undefined
    this.add(document, uri, resource.dialect)
    return this.resources.get(uri)
  }

  /** Follows a JSON pointer. */
  #follow(resource: SchemaResource, given: string, path: string): PlacedSchema | undefined {
    let at: unknown = resource.root
    let parent: PlacedSchema = { schema: resource.root, resource, path: '' }
    for (const token of given.split('/').slice(1)) {
      const key = token.replaceAll('~1', '/').replaceAll('~0', '~')
      if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined
      at = (at as Readonly<Record<string, unknown>>)[key]
      parent = (isRecord(at) ? this.#places.get(at) : undefined) ?? parent
    }
    if (!isSchema(at)) schemaFault(path, `names a part of the schema that is not a schema`)
    return this.place(at, parent, given)
  }

  #resource(root: SchemaObject | boolean, base: string, inherited: Dialect): SchemaResource {
    const metaschema = isRecord(root) ? root['$schema'] : undefined
    const own = typeof metaschema === 'string' ? this.#documents[metaschema] : undefined
    const dialect = dialectOf(metaschema) ?? (isRecord(own) ? dialectOf(own['$schema']) : undefined) ?? inherited
    const id = isRecord(root) ? idOf(root, dialect) : undefined
    const uri = (id === undefined ? undefined : resolveUri(id, base))?.replace(/#.*$/, '') ?? base
    const resource: SchemaResource = {
      uri,
      root,
      dialect,
      validates: !lacksValidation(own),
      anchors: new Map(),
      dynamicAnchors: new Map(),
    }
    // A document is also known by the URI under which it was registered.
    for (const name of new Set([base, uri])) if (!this.resources.has(name)) this.resources.set(name, resource)
    return resource
  }

  #visit(root: SchemaObject, at: Omit<PlacedSchema, 'schema'> & { readonly dialect: Dialect }): PlacedSchema {
    const first: PlacedSchema = { schema: root, resource: at.resource, path: at.path }
    const open = [first]
    for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
      const { schema, path } = parent
      if (!isRecord(schema) || this.#places.has(schema)) continue
      const isPart = schema !== parent.resource.root && idOf(schema, parent.resource.dialect) !== undefined
      const { uri, dialect } = parent.resource
      const resource = isPart ? this.#resource(schema, uri, dialect) : parent.resource
      const placed: PlacedSchema = { schema, resource, path }
      this.#places.set(schema, placed)
      if (this.#places.size > MOST_SCHEMAS) schemaFault('', `is too large: it has more than ${MOST_SCHEMAS} subschemas`)
      this.#addAnchors(schema, resource)
      eachSubschema(schema, (sub, below) => open.push({ schema: sub, resource, path: path + below }))
    }
    return this.#places.get(root) ?? first
  }

  #addAnchors(schema: SchemaObject, resource: SchemaResource): void {
    const { idAnchors, id, recursiveRef } = resource.dialect
    const given = schema[id]
    const fragment = idAnchors && typeof given === 'string' ? given.split('#')[1] : undefined
    if (fragment !== undefined && fragment !== '') resource.anchors.set(fragment, schema)
    const { $anchor, $dynamicAnchor, $recursiveAnchor } = schema
    if (typeof $anchor === 'string') resource.anchors.set($anchor, schema)
    if (typeof $dynamicAnchor === 'string') {
      resource.anchors.set($dynamicAnchor, schema)
      resource.dynamicAnchors.set($dynamicAnchor, schema)
    }
    if (recursiveRef && $recursiveAnchor === true) resource.dynamicAnchors.set('', schema)
  }
}

/** Returns the URI that a schema gives itself. `undefined` if it has none, or only an anchor. */
function idOf(schema: SchemaObject, inherited: Dialect): string | undefined {
  const dialect = dialectOf(schema['$schema']) ?? inherited
  if (dialect.refStandsAlone && typeof schema['$ref'] === 'string') return undefined
  const id = schema[dialect.id]
  return typeof id === 'string' && !id.startsWith('#') ? id : undefined
}

function resolveUri(reference: string, base: string): string | undefined {
  // Within one document, which is nearly every reference, no URI has to be parsed.
  if (reference.startsWith('#')) return base + reference
  return URL.parse(reference, base)?.href
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

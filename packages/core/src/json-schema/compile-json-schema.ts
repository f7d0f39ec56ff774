import { ParleyError } from '../errors/parley-error.ts'
import { MOST_STEPS, spend } from '../pattern/work.ts'
import { arrayChecks } from './keywords/array-checks.ts'
import { accept, fail, schemaFault, unchecked, type Check, type Run } from './check.ts'
import type { Compiler } from './keywords/compiler.ts'
import { compositionChecks } from './keywords/composition-checks.ts'
import { draft2020, type Dialect } from './dialect.ts'
import { numberChecks } from './keywords/number-checks.ts'
import { objectChecks } from './keywords/object-checks.ts'
import { entering, referenceChecks } from './keywords/reference-checks.ts'
import { isRecord, jsonSize } from './same-json.ts'
import { SchemaRegistry, type SchemaDocuments } from './schema-registry.ts'
import type { PlacedSchema, SchemaObject } from './schema-resource.ts'
import { stringChecks } from './keywords/string-checks.ts'
import { isSchema } from './subschemas.ts'
import { unevaluatedCheck } from './keywords/unevaluated-check.ts'
import { typeCheck, valueChecks } from './keywords/value-checks.ts'
import { withoutValidation } from './keywords/without-validation.ts'

/** Options of `compileJsonSchema`. */
export interface CompileOptions {
  /** Documents that a `$ref` may name. @default none */
  readonly documents?: SchemaDocuments | undefined
}

/**
 * Compiles a JSON Schema of draft 2020-12, 2019-09, 7, 6 or 4. The check is safe for schemas from outside: its work and that of
 * the compilation are bounded.
 * @throws ParleyError `config-invalid` if the schema is invalid, too large, or refers to a missing document.
 */
export function compileJsonSchema(schema: unknown, { documents = {} }: CompileOptions = {}): Check {
  return compileRoot(schema, { documents, dialect: draft2020, ignoresReferences: false })
}

/** Begins a validation. */
function startRun(): Run {
  return { issues: [], steps: MOST_STEPS, depth: 0, evaluated: undefined, scope: undefined }
}

interface RootOptions {
  readonly documents: SchemaDocuments
  readonly dialect: Dialect
  readonly ignoresReferences: boolean
}

interface Node {
  readonly place: PlacedSchema
  check: Check | undefined
}

function compileRoot(root: unknown, { documents, dialect, ignoresReferences }: RootOptions): Check {
  const registry = new SchemaRegistry(documents)
  const nodes = new Map<SchemaObject, Node>()
  const open: Node[] = []

  function nodeOf(place: PlacedSchema & { readonly schema: SchemaObject }): Node {
    let node = nodes.get(place.schema)
    if (node === undefined) {
      node = { place, check: undefined }
      nodes.set(place.schema, node)
    }
    return node
  }

  function compile(place: PlacedSchema): Check {
    if (!isPlacedObject(place)) return place.schema === true ? accept : refuse
    const node = nodeOf(place)
    return (node.check ??= compileObject({
      registry,
      place,
      ignoresReferences,
      sub(schema, below) {
        if (!isSchema(schema)) schemaFault(place.path + below, 'must be an object or a boolean')
        return compile(registry.place(schema, place, place.path + below))
      },
      target(found) {
        if (!isPlacedObject(found)) return compile(found)
        const target = nodeOf(found)
        if (target.check === undefined) open.push(target)
        return (value, at, run) => (target.check ??= compile(found))(value, at, run)
      },
      metaschema: schemaCheck,
    }))
  }

  const place = registry.add(root, undefined, dialect)
  const check = compile(place)
  for (let last = -1; nodes.size > last;) {
    last = nodes.size
    for (let node = open.pop(); node !== undefined; node = open.pop()) node.check ??= compile(node.place)
    for (const found of registry.dynamicTargets()) compile(found)
  }
  if (ignoresReferences) for (const found of registry.all()) compile(found)
  return entering(place.resource, check)
}

function compileObject(compiler: Compiler): Check {
  const { place } = compiler
  const { resource, path } = place
  const schema = resource.validates ? place.schema : withoutValidation(place.schema)
  if (compiler.ignoresReferences) checkNames(schema, compiler)
  const references = referenceChecks(schema, path, compiler)
  if (references.length > 0 && resource.dialect.refStandsAlone) return all(references, false)
  const type = typeCheck(schema, path)
  const checks = [
    ...type,
    ...valueChecks(schema, path),
    ...numberChecks(schema, path),
    ...stringChecks(schema, path),
    ...arrayChecks(schema, path, compiler),
    ...objectChecks(schema, path, compiler),
    ...compositionChecks(schema, path, compiler),
    ...references,
  ]
  const check = unevaluatedCheck(schema, all(checks, type.length > 0), compiler)
  return resource.root === place.schema && path !== '' ? entering(resource, check) : check
}

/** Checks names as the metaschemas of draft 2019-09 and later do. */
function checkNames(schema: SchemaObject, { place: { resource, path } }: Compiler): void {
  const { $id, $anchor } = schema
  if (resource.dialect.idAnchors || resource.dialect.id !== '$id') return
  if (typeof $id === 'string' && /#./.test($id)) schemaFault(`${path}/$id`, 'must not have a fragment')
  if (typeof $anchor === 'string' && !/^[A-Za-z_][-A-Za-z0-9._:]*$/.test($anchor))
    schemaFault(
      `${path}/$anchor`,
      'must begin with a letter and have no other characters than letters, digits, - . _ :',
    )
}

function all(checks: readonly Check[], hasType: boolean): Check {
  const [first = accept, ...rest] = checks
  if (rest.length === 0) return first
  const count = checks.length
  return (value, path, run) => {
    spend(run, count)
    let ok = first(value, path, run)
    // A value of the wrong type is one issue. The other keywords would only repeat it.
    if (!ok && hasType) return false
    for (const check of rest) if (!check(value, path, run)) ok = false
    return ok
  }
}

const refuse: Check = (_value, at, run) => fail(run, at, 'is not allowed')

/**
 * Checks a value against the metaschema of a dialect: the value is valid if it compiles as a schema. Its references may
 * name unknown documents.
 */
function schemaCheck(dialect: Dialect): Check {
  return (value, at, run) => {
    spend(run, 100 * jsonSize(value))
    try {
      compileRoot(value, { documents: {}, dialect, ignoresReferences: true })
      return true
    } catch (error) {
      if (!(error instanceof ParleyError) || error.info.code !== 'config-invalid') throw error
      const { path, detail } = error.info
      return fail(run, path.startsWith('/') ? at + path : at, `must be a JSON Schema: ${detail}`)
    }
  }
}

function isPlacedObject(place: PlacedSchema): place is PlacedSchema & { readonly schema: SchemaObject } {
  return isRecord(place.schema)
}

/** Runs a compiled check. A value that cannot be checked to the end does not fit. */
export function runCheck(check: Check, value: unknown): Run['issues'] | undefined {
  const run = startRun()
  try {
    return check(value, '', run) ? undefined : run.issues
  } catch (error) {
    const message = unchecked(error)
    if (message === undefined) throw error
    return [...run.issues, { path: '', message }]
  }
}

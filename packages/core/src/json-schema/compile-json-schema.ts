import { accept, fail, schemaFault, type Check } from './check.ts'
import { isRecord } from './same-json.ts'
import { compileObject } from './compile-object.ts'
import { arrayChecks, compositionCheck, numberChecks, stringChecks, typeCheck, valueChecks } from './keyword-checks.ts'

/** Keywords that are compiled here. Schemas with other validating keywords need the full validator. */
const KNOWN = new Set([
  'type',
  'properties',
  'required',
  'additionalProperties',
  'minProperties',
  'maxProperties',
  'items',
  'minItems',
  'maxItems',
  'uniqueItems',
  'enum',
  'const',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'anyOf',
  'oneOf',
  'allOf',
  'not',
])
const ANNOTATIONS = new Set([
  '$schema',
  '$id',
  '$comment',
  'title',
  'description',
  'default',
  'deprecated',
  'readOnly',
  'writeOnly',
  'examples',
])

/**
 * Compiles the common keywords of JSON Schema (draft 2020-12) to closures.
 * @returns `undefined` if the schema uses other keywords.
 * @throws ParleyError `config-invalid` if the schema is invalid.
 */
export function compileJsonSchema(schema: unknown, path = ''): Check | undefined {
  if (schema === true) return accept
  if (schema === false) return (_value, at, issues) => fail(issues, at, 'is not allowed')
  if (!isRecord(schema)) schemaFault(path, 'must be an object or a boolean')
  let complete = true
  for (const keyword of Object.keys(schema)) {
    if (!KNOWN.has(keyword) && !ANNOTATIONS.has(keyword) && !keyword.startsWith('x-')) complete = false
  }
  const compileSub = (sub: unknown, at: string): Check => {
    const check = compileJsonSchema(sub, at)
    if (check === undefined) complete = false
    return check ?? accept
  }
  const checks = [
    ...typeCheck(schema, path),
    ...valueChecks(schema, path),
    ...numberChecks(schema, path),
    ...stringChecks(schema, path),
    ...arrayChecks(schema, path, compileSub),
    ...compileObject(schema, path, compileSub),
    ...compositionCheck(schema, path, compileSub),
  ]
  return complete ? all(checks) : undefined
}

function all(checks: readonly Check[]): Check {
  const [first = accept, ...rest] = checks
  if (rest.length === 0) return first
  return (value, path, issues) => {
    // A value of the wrong type is one issue. The other keywords would only repeat it.
    if (!first(value, path, issues)) return false
    let ok = true
    for (const check of rest) if (!check(value, path, issues)) ok = false
    return ok
  }
}

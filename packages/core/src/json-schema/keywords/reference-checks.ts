import { spend } from '../../pattern/work.ts'
import { accept, schemaFault, type Check, type Run } from '../check.ts'
import type { Compiler } from './compiler.ts'
import { dialectOf } from '../dialect.ts'
import { firstWithAnchor } from '../dynamic-scope.ts'
import type { PlacedSchema, SchemaObject, SchemaResource } from '../schema-resource.ts'

/** Largest number of references inside each other. More references inside each other could overflow the stack. */
const MOST_DEPTH = 500

/** Compiles `$ref`, `$dynamicRef` and `$recursiveRef`. */
export function referenceChecks(schema: SchemaObject, path: string, compiler: Compiler): Check[] {
  const { $ref, $dynamicRef, $recursiveRef } = schema
  const checks: Check[] = []
  const { modern, recursiveRef } = compiler.place.resource.dialect
  if (isReference($ref, `${path}/$ref`)) checks.push(staticReference($ref, `${path}/$ref`, compiler))
  if (modern && isReference($dynamicRef, `${path}/$dynamicRef`))
    checks.push(dynamicReference($dynamicRef, `${path}/$dynamicRef`, compiler))
  if (recursiveRef && isReference($recursiveRef, `${path}/$recursiveRef`))
    checks.push(dynamicReference('#', `${path}/$recursiveRef`, compiler))
  return checks
}

/** Enters a resource for the time of a check. Dynamic references look for the one that was entered first. */
export function entering(resource: SchemaResource, check: Check): Check {
  return (value, at, run) => {
    const { scope } = run
    run.scope = { resource, outer: scope }
    const fits = check(value, at, run)
    run.scope = scope
    return fits
  }
}

function isReference(given: unknown, path: string): given is string {
  if (given === undefined || given === null) return false
  if (typeof given !== 'string') schemaFault(path, 'must be a string')
  return true
}

function staticReference(reference: string, path: string, compiler: Compiler): Check {
  const place = resolve(reference, path, compiler)
  if (typeof place === 'function') return place
  const check = compiler.target(place)
  const isForeign = place.resource !== compiler.place.resource
  return following(isForeign ? entering(place.resource, check) : check)
}

/**
 * Compiles a `$dynamicRef`. A reference to a dynamic anchor is resolved during the check: among the schema resources
 * that the check has entered, it means the anchor of the first one that has an anchor of this name.
 */
function dynamicReference(reference: string, path: string, compiler: Compiler): Check {
  const place = resolve(reference, path, compiler)
  if (typeof place === 'function') return place
  const fixed = staticReference(reference, path, compiler)
  const anchor = /#(.*)$/.exec(reference)?.[1] ?? ''
  const { resource } = place
  if (resource.dynamicAnchors.get(anchor) !== place.schema) return fixed
  compiler.registry.dynamicNames.add(anchor)
  const known = new Map<SchemaResource, Check>()
  return (value, at, run) => {
    const found = firstWithAnchor(run.scope, anchor) ?? resource
    let check = known.get(found)
    if (check === undefined) {
      const schema = found.dynamicAnchors.get(anchor)
      check =
        schema === undefined
          ? fixed
          : following(entering(found, compiler.target({ schema, resource: found, path: '' })))
      known.set(found, check)
    }
    return check(value, at, run)
  }
}

function following(check: Check): Check {
  return (value, at, run) => {
    descend(run)
    const fits = check(value, at, run)
    run.depth--
    return fits
  }
}

/** Counts one more level of references. @throws RangeError as the platform does if the stack is used up. */
function descend(run: Run): void {
  spend(run, 3)
  if (++run.depth > MOST_DEPTH) throw new RangeError('The references are nested too deeply.')
}

function resolve(
  reference: string,
  path: string,
  { registry, place, metaschema, ignoresReferences }: Compiler,
): PlacedSchema | Check {
  const dialect = reference.startsWith('#') ? undefined : dialectOf(URL.parse(reference, place.resource.uri)?.href)
  if (dialect !== undefined && !registry.knows(reference, place)) return metaschema(dialect)
  if (!ignoresReferences) return registry.resolve(reference, place, path)
  return accept
}

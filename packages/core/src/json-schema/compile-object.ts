import { fail, pointer, schemaFault, type Check } from './check.ts'
import { isRecord } from './same-json.ts'
import type { CompileSub } from './keyword-checks.ts'

/** Compiles the keywords for objects. */
export function compileObject(
  schema: Readonly<Record<string, unknown>>,
  path: string,
  compileSub: CompileSub,
): Check[] {
  const checks: Check[] = []
  const { required, properties = {}, additionalProperties, minProperties, maxProperties } = schema
  if (required !== undefined) checks.push(requiredCheck(required, path))
  if (!isRecord(properties)) schemaFault(`${path}/properties`, 'must be an object')
  const members = new Map(
    Object.entries(properties).map(([key, sub]) => [key, compileSub(sub, `${path}/properties/${key}`)]),
  )
  if (members.size > 0) checks.push(memberCheck(members))
  if (additionalProperties !== undefined && additionalProperties !== true) {
    checks.push(
      additionalProperties === false
        ? closedCheck(members)
        : restCheck(members, compileSub(additionalProperties, `${path}/additionalProperties`)),
    )
  }
  if (typeof minProperties === 'number' || typeof maxProperties === 'number') {
    const min = typeof minProperties === 'number' ? minProperties : 0
    const max = typeof maxProperties === 'number' ? maxProperties : Infinity
    checks.push((value, at, issues) => {
      if (!isRecord(value)) return true
      const count = Object.keys(value).length
      return (count >= min && count <= max) || fail(issues, at, `must have ${min} to ${max} properties, not ${count}`)
    })
  }
  return checks
}

function requiredCheck(required: unknown, path: string): Check {
  if (!Array.isArray(required) || required.some(key => typeof key !== 'string')) {
    schemaFault(`${path}/required`, 'must be an array of names')
  }
  const keys = required.map(String)
  return (value, at, issues) => {
    if (!isRecord(value)) return true
    let ok = true
    for (const key of keys) if (!Object.hasOwn(value, key)) ok = fail(issues, pointer(at, key), 'is missing')
    return ok
  }
}

function memberCheck(members: ReadonlyMap<string, Check>): Check {
  const entries = [...members]
  return (value, at, issues) => {
    if (!isRecord(value)) return true
    let ok = true
    for (const [key, check] of entries) {
      if (Object.hasOwn(value, key) && !check(value[key], `${at}/${key}`, issues)) ok = false
    }
    return ok
  }
}

function closedCheck(members: ReadonlyMap<string, Check>): Check {
  return (value, at, issues) => {
    if (!isRecord(value)) return true
    let ok = true
    for (const key in value) {
      if (!members.has(key)) {
        const known = members.size === 0 ? 'none' : [...members.keys()].join(', ')
        ok = fail(issues, pointer(at, key), `is not allowed (allowed: ${known})`)
      }
    }
    return ok
  }
}

function restCheck(members: ReadonlyMap<string, Check>, rest: Check): Check {
  return (value, at, issues) => {
    if (!isRecord(value)) return true
    let ok = true
    for (const key of Object.keys(value)) {
      if (!members.has(key) && !rest(value[key], pointer(at, key), issues)) ok = false
    }
    return ok
  }
}

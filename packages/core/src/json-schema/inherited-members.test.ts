import { expect, it } from 'vitest'
import { compileSchema } from './compile-schema.ts'

/** Names that every object inherits. */
const INHERITED = ['toString', 'constructor', 'hasOwnProperty', '__proto__']

const issuesOf = async (schema: object, value: unknown): Promise<number> =>
  (await compileSchema(schema as Record<string, unknown>)(value)).issues?.length ?? 0

it.each(INHERITED)('a required member %s must be the object’s own', async name => {
  expect(await issuesOf({ type: 'object', required: [name] }, {})).toBe(1)
  expect(await issuesOf({ type: 'object', required: [name] }, JSON.parse(`{"${name}":1}`))).toBe(0)
})

it.each(INHERITED)('the schema of a member %s applies only to the object’s own member', async name => {
  const schema: object = { type: 'object', properties: JSON.parse(`{"${name}":{"type":"string"}}`) as object }
  expect(await issuesOf(schema, {})).toBe(0)
  expect(await issuesOf(schema, JSON.parse(`{"${name}":1}`))).toBe(1)
})

it.each(INHERITED)('a member that depends on %s is required only beside the object’s own member', async name => {
  const schema: object = { type: 'object', dependentRequired: JSON.parse(`{"${name}":["other"]}`) as object }
  expect(await issuesOf(schema, {})).toBe(0)
  expect(await issuesOf(schema, JSON.parse(`{"${name}":1}`))).toBe(1)
})

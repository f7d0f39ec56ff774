import * as fc from 'fast-check'
import * as z from 'zod'
import { jsonSchema } from '../json.ts'

/** Generates random values that a schema accepts. It reads the schema, so a new field is covered automatically. */
export function arbitraryOf(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  if (schema === jsonSchema) return fc.jsonValue({ maxDepth: 2 }).map(toPlainJson)
  if (schema instanceof z.ZodString) return fc.string({ unit: 'binary', maxLength: 8 })
  if (schema instanceof z.ZodNumber) return numbers(schema)
  if (schema instanceof z.ZodBoolean) return fc.boolean()
  if (schema instanceof z.ZodLiteral) return fc.constantFrom(...schema.values)
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options)
  if (schema instanceof z.ZodArray) return fc.array(arbitraryOf(schema.element), { maxLength: 3 })
  if (schema instanceof z.ZodUnion) return fc.oneof(...schema.options.map(arbitraryOf))
  if (schema instanceof z.ZodRecord) return records(schema)
  if (schema instanceof z.ZodObject) return objects(schema)
  // The schema after a preprocessor, which changes only values of earlier versions.
  if (schema instanceof z.ZodPipe) return arbitraryOf(schema.out)
  throw new Error(`no values for a schema of type ${schema._zod.def.type}`)
}

function numbers(schema: z.ZodNumber): fc.Arbitrary<number> {
  const range = { min: Math.max(schema.minValue ?? -Infinity, -1_000_000), max: 1_000_000 }
  if (schema.isInt) return fc.integer(range)
  return fc.double({ ...range, noNaN: true }).map(value => (value === 0 ? 0 : value))
}

function records(schema: z.ZodRecord): fc.Arbitrary<unknown> {
  const keys = arbitraryOf(schema.keyType).filter(key => key !== '__proto__') as fc.Arbitrary<string>
  return fc.dictionary(keys, arbitraryOf(schema.valueType), { maxKeys: 3, noNullPrototype: true })
}

/** Replaces negative zero, which JSON does not have. */
function toPlainJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

function objects(schema: z.ZodObject): fc.Arbitrary<unknown> {
  const fields = Object.entries(schema.shape)
  const optional = fields.filter(([, field]) => isOptional(field)).map(([name]) => name)
  const model = fields.map(([name, field]) => [name, arbitraryOf(isOptional(field) ? field.unwrap() : field)])
  const requiredKeys = fields.map(([name]) => name).filter(name => !optional.includes(name))
  const arbitraries = Object.fromEntries(model) as Record<string, fc.Arbitrary<unknown>>
  return fc.record(arbitraries, { requiredKeys, noNullPrototype: true })
}

function isOptional(field: z.core.$ZodType): field is z.ZodOptional | z.ZodExactOptional {
  return field instanceof z.ZodOptional || field instanceof z.ZodExactOptional
}

import * as fc from 'fast-check'
import * as z from 'zod'
import { jsonSchema } from '../json.ts'

/** Values a schema accepts, drawn from the schema itself, so that a new field or member is covered by being added. */
export function arbitraryOf(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  // JSON has no negative zero: it would come back as zero.
  if (schema === jsonSchema) return fc.jsonValue({ maxDepth: 2 }).map(value => JSON.parse(JSON.stringify(value)) as unknown)
  if (schema instanceof z.ZodString) return fc.string({ unit: 'binary', maxLength: 8 })
  if (schema instanceof z.ZodNumber) return numbers(schema)
  if (schema instanceof z.ZodBoolean) return fc.boolean()
  if (schema instanceof z.ZodLiteral) return fc.constantFrom(...schema.values)
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options)
  if (schema instanceof z.ZodArray) return fc.array(arbitraryOf(schema.element), { maxLength: 3 })
  if (schema instanceof z.ZodDiscriminatedUnion) return fc.oneof(...schema.options.map(arbitraryOf))
  if (schema instanceof z.ZodRecord) {
    return fc.dictionary(arbitraryOf(schema.keyType) as fc.Arbitrary<string>, arbitraryOf(schema.valueType), { maxKeys: 3 })
  }
  if (schema instanceof z.ZodObject) return objects(schema)
  throw new Error(`no values for a schema of type ${schema._zod.def.type}`)
}

function numbers(schema: z.ZodNumber): fc.Arbitrary<number> {
  const min = schema.minValue ?? Number.MIN_SAFE_INTEGER
  if (schema.isInt) return fc.integer({ min: Math.max(min, -1_000_000), max: 1_000_000 })
  return fc.double({ min, noNaN: true, noDefaultInfinity: true }).map(value => (value === 0 ? 0 : value))
}

function objects(schema: z.ZodObject): fc.Arbitrary<unknown> {
  const fields = Object.entries(schema.shape)
  const optional = fields.filter(([, field]) => field instanceof z.ZodOptional).map(([name]) => name)
  const model = fields.map(([name, field]) => [
    name,
    arbitraryOf(field instanceof z.ZodOptional ? field.unwrap() : field),
  ])
  const requiredKeys = fields.map(([name]) => name).filter(name => !optional.includes(name))
  return fc.record(Object.fromEntries(model) as Record<string, fc.Arbitrary<unknown>>, { requiredKeys, noNullPrototype: true })
}

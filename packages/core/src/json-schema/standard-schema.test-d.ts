import { expectTypeOf, it } from 'vitest'
import * as z from 'zod'
import type { InferSchema, JsonSchemaObject, Schema, StandardSchema } from '../index.ts'

it('InferSchema gives the output type of a Standard Schema', () => {
  const schema = z.object({ at: z.string().transform(text => new Date(text)) })
  expectTypeOf<InferSchema<typeof schema>>().toEqualTypeOf<{ at: Date }>()
})

it('InferSchema gives unknown for a JSON Schema', () => {
  expectTypeOf<InferSchema<{ readonly type: 'object' }>>().toEqualTypeOf<unknown>()
  expectTypeOf<InferSchema<JsonSchemaObject>>().toEqualTypeOf<unknown>()
})

it('Schema accepts a zod schema and a JSON Schema', () => {
  expectTypeOf<z.ZodString>().toExtend<StandardSchema<string>>()
  expectTypeOf<{ type: string }>().toExtend<Schema>()
})

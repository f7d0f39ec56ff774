import { expectTypeOf, it } from 'vitest'
import * as z from 'zod'
import type { InferSchema, JsonSchemaObject, Schema, StandardSchema } from '../index.ts'

it('infers what validation gives, not what goes in', () => {
  const schema = z.object({ at: z.string().transform(text => new Date(text)) })
  expectTypeOf<InferSchema<typeof schema>>().toEqualTypeOf<{ at: Date }>()
})

it('infers unknown from a JSON Schema', () => {
  expectTypeOf<InferSchema<{ readonly type: 'object' }>>().toEqualTypeOf<unknown>()
  expectTypeOf<InferSchema<JsonSchemaObject>>().toEqualTypeOf<unknown>()
})

it('takes a zod schema and a JSON Schema for schemas', () => {
  expectTypeOf<z.ZodString>().toExtend<StandardSchema<string>>()
  expectTypeOf<{ type: string }>().toExtend<Schema>()
})

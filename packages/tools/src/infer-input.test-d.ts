import { expectTypeOf, it } from 'vitest'
import type { InferInput } from './infer-input.ts'

it('InferInput infers an object type with required and optional members from a JSON Schema', () => {
  const schema = {
    type: 'object',
    properties: {
      path: { type: 'string' },
      limit: { type: 'integer', minimum: 1 },
      mode: { enum: ['add', 'difference'] },
      deep: { type: 'boolean' },
      parts: { type: 'array', items: { type: 'object', properties: { at: { type: 'number' } }, required: ['at'] } },
    },
    required: ['path'],
  } as const
  expectTypeOf<InferInput<typeof schema>>().toExtend<{ readonly path: string; readonly limit?: number | undefined }>()
  expectTypeOf<InferInput<typeof schema>['mode']>().toEqualTypeOf<'add' | 'difference' | undefined>()
  expectTypeOf<InferInput<typeof schema>['deep']>().toEqualTypeOf<boolean | undefined>()
  expectTypeOf<NonNullable<InferInput<typeof schema>['parts']>[number]>().toExtend<{ readonly at: number }>()
  expectTypeOf<InferInput<typeof schema>['path']>().toEqualTypeOf<string>()
})

import { expectTypeOf, it } from 'vitest'
import { ParleyError, toErrorInfo, type ErrorCode, type ErrorInfo } from '../index.ts'

it('narrows the data of a failure by its code', () => {
  const error: unknown = undefined
  if (ParleyError.is(error, 'store-conflict')) {
    expectTypeOf(error.info).toEqualTypeOf<{
      code: 'store-conflict'
      runId: string
      expected: number
      actual: number
    }>()
    expectTypeOf(error.code).toEqualTypeOf<'store-conflict'>()
  }
})

it('gives the whole union when no code is named', () => {
  const error: unknown = undefined
  if (ParleyError.is(error)) expectTypeOf(error.info).toEqualTypeOf<ErrorInfo>()
  expectTypeOf(toErrorInfo(error)).toEqualTypeOf<ErrorInfo>()
})

it('refuses codes and data that are not in the union', () => {
  // @ts-expect-error -- no such code
  ParleyError.is(undefined, 'store-confused')
  // @ts-expect-error -- `actual` is missing
  expectTypeOf(new ParleyError({ code: 'store-conflict', runId: 'r', expected: 1 }))
})

it('keeps the type of the data it is made of', () => {
  expectTypeOf(new ParleyError({ code: 'run-unknown', runId: 'r' }).code).toEqualTypeOf<'run-unknown'>()
  expectTypeOf<ParleyError>().toHaveProperty('code').toEqualTypeOf<ErrorCode>()
})

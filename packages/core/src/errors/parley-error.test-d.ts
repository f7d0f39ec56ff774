import { expectTypeOf, it } from 'vitest'
import { ParleyError, toErrorInfo, type ErrorCode, type ErrorInfo } from '../index.ts'

it('ParleyError.is narrows the info of an error by its code', () => {
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

it('ParleyError.is gives the whole union without a code', () => {
  const error: unknown = undefined
  if (ParleyError.is(error)) expectTypeOf(error.info).toEqualTypeOf<ErrorInfo>()
  expectTypeOf(toErrorInfo(error)).toEqualTypeOf<ErrorInfo>()
})

it('ParleyError rejects unknown codes and fields', () => {
  // @ts-expect-error -- no such code
  ParleyError.is(undefined, 'store-confused')
  // @ts-expect-error -- `actual` is missing
  expectTypeOf(new ParleyError({ code: 'store-conflict', runId: 'r', expected: 1 }))
})

it('ParleyError keeps the type of its info', () => {
  expectTypeOf(new ParleyError({ code: 'run-unknown', runId: 'r' }).code).toEqualTypeOf<'run-unknown'>()
  expectTypeOf<ParleyError>().toHaveProperty('code').toEqualTypeOf<ErrorCode>()
})

import { describe, expect, it } from 'vitest'
import { ParleyError, toErrorInfo } from './parley-error.ts'
import type * as original from './parley-error.ts'

const info = { code: 'store-conflict', runId: 'r', expected: 1, actual: 2 } as const

describe('ParleyError', () => {
  it('a ParleyError is an Error with the message of describeError', () => {
    const cause = new Error('below')
    const error = new ParleyError(info, { cause })
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({ name: 'ParleyError', code: 'store-conflict', info, cause })
    expect(error.docs).toBe('errors/store-conflict')
    expect(error.message).toBe(`Run 'r' has 2 entries instead of 1: another writer has appended first.`)
  })

  it('ParleyError.is recognizes an error by its brand and its code', () => {
    const error: unknown = new ParleyError(info)
    expect(ParleyError.is(error)).toBe(true)
    expect(ParleyError.is(error, 'store-conflict')).toBe(true)
    expect(ParleyError.is(error, 'store-fenced')).toBe(false)
  })

  it('ParleyError.is recognizes an error of another copy of the package', async () => {
    const copy = (await import(`${import.meta.resolve('./parley-error.ts')}?copy`)) as typeof original
    const error: unknown = new copy.ParleyError(info)
    expect(error).not.toBeInstanceOf(ParleyError)
    expect(ParleyError.is(error, 'store-conflict')).toBe(true)
    expect(toErrorInfo(error)).toEqual(info)
  })

  it.each([undefined, null, 'store-conflict', new Error('x'), { info }, { name: 'ParleyError', info }])(
    'ParleyError.is rejects %o',
    value => {
      expect(ParleyError.is(value)).toBe(false)
    },
  )

  it('a ParleyError is serialized as its info', () => {
    expect(JSON.parse(JSON.stringify({ error: new ParleyError(info) }))).toEqual({ error: info })
  })
})

describe('toErrorInfo', () => {
  it('toErrorInfo returns the info of a ParleyError', () => {
    expect(toErrorInfo(new ParleyError(info))).toBe(info)
  })

  it('toErrorInfo converts any other thrown value to internal with its message', () => {
    expect(toErrorInfo(new TypeError('x is not a function'))).toEqual({
      code: 'internal',
      detail: 'x is not a function',
    })
    expect(toErrorInfo('thrown text')).toEqual({ code: 'internal', detail: 'thrown text' })
    expect(toErrorInfo(undefined)).toEqual({ code: 'internal', detail: 'undefined' })
  })
})

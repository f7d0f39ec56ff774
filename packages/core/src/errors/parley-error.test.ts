import { describe, expect, it, vi } from 'vitest'
import { ParleyError, toErrorInfo } from './parley-error.ts'

const info = { code: 'store-conflict', runId: 'r', expected: 1, actual: 2 } as const

describe('ParleyError', () => {
  it('is an Error whose message is the sentence for its data', () => {
    const cause = new Error('below')
    const error = new ParleyError(info, { cause })
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({ name: 'ParleyError', code: 'store-conflict', info, cause })
    expect(error.message).toBe(`Run 'r' has 2 entries, not 1: another writer was faster.`)
  })

  it('is recognised by its brand and by its code', () => {
    const error: unknown = new ParleyError(info)
    expect(ParleyError.is(error)).toBe(true)
    expect(ParleyError.is(error, 'store-conflict')).toBe(true)
    expect(ParleyError.is(error, 'store-fenced')).toBe(false)
  })

  it('is recognised when another copy of the package threw it', async () => {
    vi.resetModules()
    const copy = await import('./parley-error.ts')
    const error: unknown = new copy.ParleyError(info)
    expect(error).not.toBeInstanceOf(ParleyError)
    expect(ParleyError.is(error, 'store-conflict')).toBe(true)
    expect(toErrorInfo(error)).toEqual(info)
  })

  it.each([undefined, null, 'store-conflict', new Error('x'), { info }, { name: 'ParleyError', info }])(
    'does not take %o for one',
    value => {
      expect(ParleyError.is(value)).toBe(false)
    },
  )

  it('becomes its data in JSON', () => {
    expect(JSON.parse(JSON.stringify({ error: new ParleyError(info) }))).toEqual({ error: info })
  })
})

describe('toErrorInfo', () => {
  it('keeps the data of a foreseen failure', () => {
    expect(toErrorInfo(new ParleyError(info))).toBe(info)
  })

  it('makes anything else internal, with its words', () => {
    expect(toErrorInfo(new TypeError('x is not a function'))).toEqual({
      code: 'internal',
      detail: 'x is not a function',
    })
    expect(toErrorInfo('thrown text')).toEqual({ code: 'internal', detail: 'thrown text' })
    expect(toErrorInfo(undefined)).toEqual({ code: 'internal', detail: 'undefined' })
  })
})

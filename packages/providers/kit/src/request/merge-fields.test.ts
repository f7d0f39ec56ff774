import { describe, expect, it } from 'vitest'
import { mergeFields } from './merge-fields.ts'

const merge = (own: Record<string, unknown>, extra: Record<string, unknown>): unknown =>
  mergeFields({ own, extra, path: 'settings.providerOptions.acme' })

describe('mergeFields', () => {
  it('mergeFields adds missing fields, also within an object', () => {
    const own = { a: 1, reasoning: { effort: 'low' }, open: undefined }
    expect(merge(own, { b: 2, reasoning: { summary: 'auto' }, open: 3 })).toEqual({
      a: 1,
      b: 2,
      reasoning: { effort: 'low', summary: 'auto' },
      open: 3,
    })
    expect(own).toEqual({ a: 1, reasoning: { effort: 'low' }, open: undefined })
  })

  it('mergeFields rejects a field that both sides set, and names its path', () => {
    expect(() => merge({ a: 1 }, { a: 1 })).toThrow('settings.providerOptions.acme.a')
    expect(() => merge({ a: { b: 1 } }, { a: { b: 2 } })).toThrow('settings.providerOptions.acme.a.b')
    expect(() => merge({ a: { b: 1 } }, { a: [] })).toThrow(expect.objectContaining({ code: 'config-invalid' }))
  })
})
